/** The environment of a Hono app behind the server's access control: `c.get('userId')` is the caller. */
export type AppEnv = { Variables: { userId: string } }
