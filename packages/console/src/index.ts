import { fileURLToPath } from 'node:url'

/**
 * The folder of the built console, for the `page` of a server plug-in.
 *
 * @example
 * const server = await createServer({ agents: [dice], plugins: [{ name: 'console', page: consoleFolder }] })
 */
export const consoleFolder = fileURLToPath(new URL('../page', import.meta.url))
