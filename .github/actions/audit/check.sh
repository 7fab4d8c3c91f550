#!/usr/bin/env bash
# The check of the action: what it is told comes in by the environment, so that no input is taken for a command.
# SPECS, CLAIMS, OPTIONS, MINUTES: the action's inputs; REPORTS: a folder for the ledger and the results.
set -uo pipefail
{
  echo "ledger=$REPORTS/ledger.json"
  echo "sarif=$REPORTS/ledger.sarif"
} >>"$GITHUB_OUTPUT"
case "$MINUTES" in
  '' | *[!0-9]*)
    echo "minutes: '$MINUTES' is no number" >&2
    exit 2
    ;;
esac
verifier validate "$SPECS" || exit $?

set -f # CLAIMS and OPTIONS are split at spaces, and nothing in them is expanded
# shellcheck disable=SC2086
verifier check $CLAIMS --specs "$SPECS" --format github --report "json=$REPORTS/ledger.json" \
  --report "sarif=$REPORTS/ledger.sarif" $OPTIONS &
check=$!
{
  for ((second = 0; second < 10#$MINUTES * 60; second++)); do
    sleep 1
    kill -0 "$check" 2>/dev/null || exit 0
  done
  echo "ended after $MINUTES minutes; the next run goes on from what is decided" >&2
  kill -TERM "$check"
} &
wait "$check"
