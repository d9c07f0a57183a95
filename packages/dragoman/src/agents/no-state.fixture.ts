import type { ToolContext } from './tool.ts'

/** For calls in runs whose client shares nothing. */
export const noState: ToolContext['state'] = { current: () => null, change: () => null }
