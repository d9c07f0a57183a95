/**
 * The environment of a Hono app behind the server's access control: `c.get('userId')` is the caller, and
 * `c.get('isOwner')` says whether the caller owns the server.
 *
 * @example
 * const routes = new Hono<AppEnv>().get('/me', (c) => c.json({ user: c.get('userId') }))
 */
export type AppEnv = { Variables: { userId: string; isOwner: boolean; basePath: string } }
