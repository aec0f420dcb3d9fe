#!/usr/bin/env bash
# Runs once, when Gradescope builds the image. The archive also holds run_autograder and bench.
set -eu
curl -fsSL https://go.dev/dl/go1.26.8.linux-amd64.tar.gz | tar -C /usr/local -xz
chmod +x /autograder/source/bench
