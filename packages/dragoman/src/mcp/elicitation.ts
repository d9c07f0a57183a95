import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'

import type { ToolContext } from '../agents/index.ts'
import { isServiceError } from '../errors.ts'
import { isJsonObject, type Json } from '../events/index.ts'

export type Elicit = (params: ElicitRequest['params']) => Promise<ElicitResult>

/** Asks the user of a call what its server wants to know. The call cannot be made again, so it waits in place. */
export function elicitFrom(server: string, ask: ToolContext['ask']): Elicit {
  return async (params) => {
    if (!('requestedSchema' in params)) return { action: 'decline' }
    const { message, requestedSchema } = params
    const schema = requestedSchema as { readonly [keyword: string]: Json }
    try {
      const content = await ask({ message: `${server} asks: ${message}`, schema, inPlace: true })
      return { action: 'accept', content: { ...defaultsOf(schema), ...(content as Content) } }
    } catch (error) {
      return { action: isServiceError(error, 'denied') ? 'decline' : 'cancel' }
    }
  }
}

type Content = NonNullable<ElicitResult['content']>

/** What a person leaves empty gets the form's own value. */
function defaultsOf({ properties }: { readonly [keyword: string]: Json }): Content {
  const fields = Object.entries(properties !== undefined && isJsonObject(properties) ? properties : {})
  const defaults = fields.flatMap(([name, field]) =>
    isJsonObject(field) && field['default'] !== undefined ? [[name, field['default']] as const] : [],
  )
  return Object.fromEntries(defaults) as Content
}

/** The calls of a connection that may be asked. A server of an older version does not say for which call it asks. */
export function elicitations(): { readonly running: Set<Elicit>; readonly elicit: Elicit } {
  const running = new Set<Elicit>()
  return {
    running,
    async elicit(params) {
      const [only, ...others] = running
      // Their users may be different ones.
      return only && others.length === 0 ? only(params) : { action: 'cancel' }
    },
  }
}
