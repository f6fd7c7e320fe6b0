import type { FastifyInstance } from 'fastify';
import type { TlsFiles } from '@millrace/http/connections/tls';
import { internalRequests } from '@millrace/http/internal-requests';
import { parseGrpcAddress } from '@millrace/http/settings/grpc-address';
import { SettingError, variableOf } from '@millrace/http/settings/settings';
import { type GrpcListener, listenGrpc } from '@millrace/ingest/otlp/grpc/listener';
import { warnOfPlainText } from './address.js';
import type { Base } from './types.js';

/** The port of OTLP/gRPC exporters. */
const usualAddress = '127.0.0.1:4317';

/**
 * Opens the listener for OTLP/gRPC. Returns undefined if it is off, or if the default port is in
 * use.
 * @throws SettingError if the address of the setting cannot be used
 */
export async function openOtlpGrpc(
  { settings, metrics, logger }: Pick<Base, 'settings' | 'metrics' | 'logger'>,
  app: FastifyInstance,
  tls: TlsFiles | undefined,
  defaultAddress = usualAddress,
): Promise<GrpcListener | undefined> {
  const { otlpGrpc = defaultAddress } = settings;
  const address = parseGrpcAddress(otlpGrpc);
  if (address === undefined) return undefined;
  try {
    const listener = await listenGrpc(address, { settings, metrics, logger, tls, send: internalRequests(app) });
    warnOfPlainText({ settings: { ...settings, host: address.host }, logger }, listener.address);
    return listener;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (settings.otlpGrpc !== undefined)
      throw new SettingError('otlpGrpc', `cannot listen on ${otlpGrpc}: ${why}`, { cause: error });
    logger.info({ problem: why }, `OTLP/gRPC is off; set ${variableOf('otlpGrpc')} to use another port`);
    return undefined;
  }
}
