#!/usr/bin/env bash
# Runs in every worker container before the server starts.
set -e
pip install --quiet tiny-tokenizer==1.1
