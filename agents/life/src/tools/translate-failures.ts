import { ToolError, type Tool } from 'dragoman/agents'
import { isServiceError } from 'dragoman/errors'
import { rewordError } from '../reword-error.ts'
import { cardLanguage } from './card-language.ts'

/** What the user reads where a tool has failed for a reason that only the server's owner can mend. */
const FAILED = '这一步暂时没有成功，请稍后再试。'

/**
 * A tool whose errors are in the conversation's language. `report` gets unforeseen errors: the user reads
 * only that the step has failed.
 */
export function translateFailures(tool: Tool, report: (error: unknown) => void): Tool {
  return {
    ...tool,
    async execute(input, call) {
      try {
        return await tool.execute(input, call)
      } catch (error) {
        if (call.signal.aborted || cardLanguage(call.context) !== 'zh') throw error
        if (!isServiceError(error)) {
          if (error instanceof ToolError) throw error
          report(error)
          throw new ToolError(FAILED)
        }
        if (error.translations['zh'] === undefined) throw error
        throw rewordError(error, { message: error.messageIn('zh') })
      }
    },
  }
}
