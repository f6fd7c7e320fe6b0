import { isIP } from 'node:net';

/** Whether a text is an address or a network: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  const widest = family === 4 ? 32 : 128;
  return (
    family !== 0 &&
    !text.includes('%') &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest))
  );
}

/**
 * Whether a text is a host, or a host and a port: `data.example.com`, `127.0.0.1:8080`, `[::1]`.
 */
export const isHost = (text: string): boolean =>
  /^(?:[^\s/?#@\\:*[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text) && URL.canParse(`https://${text}`);
