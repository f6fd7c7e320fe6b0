/** Why a host cannot be reached, in words for a person, by the code of Node's error. */
export function connectionProblem(code: string): string {
  if (code === 'ECONNREFUSED') return 'it refuses connections at this port';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'there is no address for this name';
  if (code === 'EPROTO' || /CERT|SSL|TLS|SELF_SIGNED|SIGNATURE/.test(code))
    return 'no secure connection can be made, or its certificate is not trusted';
  return 'the connection fails or breaks off';
}
