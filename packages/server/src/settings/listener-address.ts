/** Where messages are listened for, and what becomes of them: `tcp://0.0.0.0:5514/logs?zone=+02:00`. */
export interface ListenerAddress {
  readonly transport: 'tcp' | 'udp' | 'tls';
  readonly host: string;
  readonly port: number;
  readonly dataset: string;
  /** Minutes that local times are ahead of UTC. */
  readonly zone: number;
}

const pattern = /^(tcp|udp|tls):\/\/(\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})\/([\w.-]+)(?:\?zone=([+-])(\d\d):(\d\d))?$/i;

/** @returns undefined if the text is none */
export function listenerAddress(text: string): ListenerAddress | undefined {
  const match = pattern.exec(text);
  if (match === null || Number(match[3]) > 65_535) return undefined;
  const [, transport, host = '', port, dataset = '', sign, hours = '0', minutes = '0'] = match;
  return {
    transport: transport!.toLowerCase() as ListenerAddress['transport'],
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port),
    dataset,
    zone: (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes)),
  };
}
