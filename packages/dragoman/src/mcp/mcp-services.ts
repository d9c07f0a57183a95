import type { AgentServices } from '../agents/index.ts'
import type { SignInStore } from './sign-in/sign-in-store.ts'

/** What the client of MCP servers needs. Declarations of the package must not lead to types of the optional library. */
export type McpServices = Pick<AgentServices, 'env' | 'report' | 'warn' | 'requiresToken' | 'safeFetch'> & {
  /** The sign-ins of users. Without it, all are anonymous. */
  readonly signIns?: SignInStore
}
