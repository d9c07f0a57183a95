import type { Context } from 'hono'
import { z } from 'zod'

import { ServiceError } from '../../errors.ts'
import type { Protocol } from '../../protocols/index.ts'

/** The query parameter of every route that starts a run and responds with its stream. */
export const disconnectQuery = {
  disconnect: z
    .enum(['detach', 'stop'])
    .optional()
    .describe(
      'stop: the run ends when its caller disconnects and no other reader follows it. ' +
        'detach: it goes on. Without it, the dialect decides.',
    ),
}

/**
 * Whether the run that a request starts ends when its caller disconnects. A caller that asks for cursors comes back, so
 * its run goes on unless it asks for a stop. Read it before the run starts.
 * @throws ServiceError `invalid-request`
 */
export function endsWithCaller(c: Context, protocol: Pick<Protocol, 'endsWithCaller'>): boolean {
  const value = c.req.query('disconnect')
  if (value === undefined) return protocol.endsWithCaller === true && c.req.query('ids') !== '1'
  if (value === 'stop' || value === 'detach') return value === 'stop'
  throw new ServiceError('invalid-request', 'disconnect must be "stop" or "detach".')
}
