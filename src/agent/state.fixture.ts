import type { ToolCall } from './tool.ts'

/** For calls in runs whose client shares nothing. */
export const noState: ToolCall['state'] = { current: () => null, change: () => null }
