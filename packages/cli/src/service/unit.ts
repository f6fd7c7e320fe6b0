/** Inputs of the systemd unit of a server. */
interface Service {
  /** Node, as an absolute path. */
  readonly node: string;
  /** The `millrace` command, as an absolute path. */
  readonly program: string;
  readonly user: string;
  readonly dataDir: string;
  readonly environmentFile: string;
}

/** First line of a unit that this command wrote and may replace or remove. */
export const unitMark = '# Written by millrace service install.';

export const unitPath = '/etc/systemd/system/millrace.service';
export const environmentPath = '/etc/millrace.env';

/**
 * The systemd unit of a server. The server writes only to its data directory and needs no
 * capability. Node and the engine compile code while they run, so memory stays both writable and
 * executable.
 */
export const serviceUnit = ({ node, program, user, dataDir, environmentFile }: Service): string => `${unitMark}
[Unit]
Description=Millrace event store
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
User=${user}
${directory(dataDir)}
EnvironmentFile=${environmentFile}
ExecStart=${quoteWord(node)} ${quoteWord(program)} serve --data-dir ${quoteWord(dataDir)}
# Asks the server, which then stops its engine.
KillMode=mixed
TimeoutStopSec=60
Restart=on-failure
RestartSec=5
# A wrong setting stays wrong.
RestartPreventExitStatus=2
# The server restarts an engine that was stopped for its memory.
OOMPolicy=continue
LimitNOFILE=65536
UMask=0077

NoNewPrivileges=true
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=true
PrivateTmp=true
PrivateDevices=true
ProtectClock=true
ProtectHostname=true
ProtectKernelTunables=true
ProtectKernelModules=true
ProtectKernelLogs=true
ProtectControlGroups=true
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=true
RestrictRealtime=true
RestrictSUIDSGID=true
RemoveIPC=true
LockPersonality=true
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;

/** Makes the data directory writable; systemd creates those below /var/lib. */
function directory(dataDir: string): string {
  const [, name] = /^\/var\/lib\/([\w.-]+)$/.exec(dataDir) ?? [];
  return name === undefined
    ? `ReadWritePaths=${quoteWord(dataDir)}`
    : `StateDirectory=${name}\nStateDirectoryMode=0700`;
}

/** A word of a unit: `%` begins a specifier, and white space separates words. */
function quoteWord(word: string): string {
  const escaped = word.replaceAll('%', '%%').replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return /^[\w/.@:%+-]+$/.test(word) ? escaped : `"${escaped}"`;
}

/** Why a service cannot read a file: its unit hides home directories and the temporary ones. */
export function hiddenFrom(path: string): boolean {
  return /^\/(home|root|run\/user|tmp|var\/tmp)\//.test(path);
}
