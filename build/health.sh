#!/usr/bin/env bash
# Whether the server of this container should get requests: exit code 0 if so. It honours the settings
# CONTEXTURE_PORT and CONTEXTURE_TLS_CERT. bash speaks no TLS: with it, a finished handshake has to do.
set -euo pipefail
port="${CONTEXTURE_PORT:-8321}"
if [[ -n "${CONTEXTURE_TLS_CERT:-}" ]]; then
  exec keytool -J-Xshare:auto -J-XX:TieredStopAtLevel=1 -printcert -sslserver "127.0.0.1:$port" > /dev/null
fi
exec 3<> "/dev/tcp/127.0.0.1/$port"
printf 'GET /readyz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
grep -q '"status":"ready"' <&3
