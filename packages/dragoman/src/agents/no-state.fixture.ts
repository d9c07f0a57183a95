import type { ToolContext } from './tool-context.ts'

/** For calls in runs without shared state. */
export const noState: ToolContext['state'] = { current: () => null, change: () => null }
