"""What a submitted recipe starts: the command line of every worker and of the frontend, each flag with its origin."""
