import type { ToolFile } from './tool-result.ts'

const filesOfErrors = new WeakMap<object, readonly ToolFile[]>()

/** The error of a tool that shows files with its reason, such as a picture of the page on which it failed. */
export function withErrorFiles<E extends Error>(error: E, files: readonly ToolFile[]): E {
  if (files.length > 0) filesOfErrors.set(error, files)
  return error
}

export function errorFiles(error: unknown): readonly ToolFile[] {
  return (typeof error === 'object' && error !== null && filesOfErrors.get(error)) || []
}
