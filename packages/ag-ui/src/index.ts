import type { ServerPlugin } from 'dragoman/server'
import { copilotKitRoutes } from './copilotkit/routes.ts'
import { agUiProtocol } from './protocol/index.ts'
import { agUiRoutes } from './routes/routes.ts'

/**
 * Every agent for AG-UI clients at `/ag-ui/<agent>`, and for CopilotKit at `/copilotkit`.
 *
 * @example
 * const server = await createServer({ agents: [dice], plugins: [agUi()] })
 */
export function agUi(): ServerPlugin {
  const routes = [
    { path: '/ag-ui', routes: agUiRoutes },
    { path: '/copilotkit', routes: copilotKitRoutes },
  ]
  return { name: 'ag-ui', protocols: [{ ...agUiProtocol, routes }] }
}
