import type { Tool } from 'dragoman/agents'
import { isServiceError } from 'dragoman/errors'
import { rewordError } from '../reword-error.ts'
import { cardLanguage } from './card-language.ts'

/** A tool whose errors are in the conversation's language, if they have a translation. */
export function translateFailures(tool: Tool): Tool {
  return {
    ...tool,
    async execute(input, call) {
      try {
        return await tool.execute(input, call)
      } catch (error) {
        if (!isServiceError(error) || error.translations['zh'] === undefined) throw error
        if (cardLanguage(call.context) !== 'zh') throw error
        throw rewordError(error, { message: error.messageIn('zh') })
      }
    },
  }
}
