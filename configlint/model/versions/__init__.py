"""Which versions of upstream programs a launch meets, as far as images and recipes tell."""
