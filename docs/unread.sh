#!/bin/sh
# Prints the addresses of the listings that nobody has looked at yet, newest first, one a line.
#
#   FIRSTKNOCK_TOKEN=fk_…  [FIRSTKNOCK_URL=http://127.0.0.1:7433]  sh unread.sh
#
# Needs curl. A lockout (429) and everything else that is refused ends it with an error: curl waits
# for the time that the server names only if that is short.
set -eu
url=${FIRSTKNOCK_URL:-http://127.0.0.1:7433}

page() {
    # The token goes in by stdin, so that it does not stand in the list of processes.
    printf 'header = "Authorization: Bearer %s"\n' "$FIRSTKNOCK_TOKEN" |
        curl --config - --fail --silent --show-error --max-time 30 \
            --retry 2 --retry-max-time 20 "$url/api/v1/listings?only=unread&limit=100$1"
}

cursor=
while :; do
    answer=$(page "$cursor")
    printf '%s' "$answer" | grep -o '"url":"[^"]*"' | cut -d '"' -f 4 || true
    next=$(printf '%s' "$answer" | sed -n 's/.*"next":"\([^"]*\)".*/\1/p')
    [ -n "$next" ] || break
    cursor="&cursor=$next"
done
