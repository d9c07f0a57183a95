import { ServiceError } from '../../errors.ts'
import { isForwarded, withoutPort } from './forwarded-request.ts'
import type { RequestInfo } from './request-info.ts'

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/**
 * Refuses a request without a token that uses an unknown host name or was forwarded for another machine.
 * @throws ServiceError `forbidden`
 */
export function createHostCheck(hosts: readonly string[]): (request: RequestInfo) => void {
  const names = new Set([...LOOPBACK_HOSTS, ...hosts.map((host) => host.toLowerCase())])
  return (request) => {
    if (!hostNames(request).every((name) => names.has(name))) {
      throw new ServiceError(
        'forbidden',
        'This server does not answer under that host name. Name it in hosts of config.yaml, or by --allow-host.',
      )
    }
    if (isForwarded(request, names)) {
      throw new ServiceError(
        'forbidden',
        'This request comes from another machine, by a proxy: it needs a token. Start the server with --require-token.',
      )
    }
  }
}

/** The host names in the header and in the request line, which may differ. */
function hostNames({ url, header }: RequestInfo): string[] {
  const { host } = new URL(url)
  return [host, header('host') ?? host].map(withoutPort)
}
