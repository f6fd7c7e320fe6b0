/** Why a host cannot be reached, in words for a person, by the code of Node's error. */
export function connectionProblem(code: string): string {
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host not found';
  if (code === 'EPROTO' || /CERT|SSL|TLS|SELF_SIGNED|SIGNATURE/.test(code))
    return 'TLS handshake failed or certificate not trusted';
  return 'the connection fails or breaks off';
}
