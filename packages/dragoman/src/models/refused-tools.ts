import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import type { Json } from '../events/index.ts'
import { plainSchema } from './plain-schema.ts'
import type { Refusal, Remedy } from './remedy.ts'

type Tool = NonNullable<LanguageModelV4CallOptions['tools']>[number]
type FunctionTool = Extract<Tool, { type: 'function' }>

/** The provider refuses one tool: it gets the schema of this in plain keywords. */
export function plainTool(refusal: Refusal): Remedy | undefined {
  const tool = findTool(refusal)
  if (!tool) return undefined
  const inputSchema = plainSchema(tool.inputSchema as Json) as FunctionTool['inputSchema']
  if (JSON.stringify(inputSchema) === JSON.stringify(tool.inputSchema)) return undefined
  refusal.warn(`${complaint(refusal, tool)}. It gets the schema in plain keywords.`)
  return ofTool('plain', tool, { ...tool, inputSchema })
}

/** The provider refuses one tool, whatever its schema says: the others go without it. */
export function withoutTool(refusal: Refusal): Remedy | undefined {
  const tool = findTool(refusal)
  if (!tool) return undefined
  refusal.warn(`${complaint(refusal, tool)}. It does not get the tool.`)
  return ofTool('without', tool)
}

function complaint({ model, words }: Refusal, { name }: FunctionTool): string {
  return `The provider of ${model} refuses the tool ${name}: ${words.replace(/\.$/, '')}`
}

/** Other tools of that name, of other agents or clients, have another schema, and stay. */
function ofTool(kind: string, tool: FunctionTool, other?: FunctionTool): Remedy {
  const source = JSON.stringify(tool)
  const isSame = (each: Tool): boolean => each.name === tool.name && JSON.stringify(each) === source
  return {
    name: `${kind} ${source}`,
    isOfTool: true,
    change(options) {
      const { tools = [] } = options
      if (!tools.some(isSame)) return options
      const others = tools.flatMap((each) => (isSame(each) ? (other ?? []) : [each]))
      return { ...options, tools: others }
    },
  }
}

const PLACE = /\btools?(?:\[|\.| -> )(\d+)/i
/** Gemini counts the functions within one tool. */
const PLACE_OF_FUNCTION = /function_?declarations(?:\[|\.)(\d+)/i

/** The tool that a refusal names, by its place or its name in quotes. */
function findTool({ words, request: { tools = [] } }: Refusal): FunctionTool | undefined {
  const functions = tools.filter((tool) => tool.type === 'function')
  const [, ofFunctions] = PLACE_OF_FUNCTION.exec(words) ?? []
  if (ofFunctions !== undefined) return functions[Number(ofFunctions)]
  const [, place] = PLACE.exec(words) ?? []
  const tool = place === undefined ? undefined : tools[Number(place)]
  if (tool) return tool.type === 'function' ? tool : undefined
  if (!/schema|function|tool/i.test(words)) return undefined
  return functions.find(({ name }) =>
    [`'${name}'`, `"${name}"`, `\`${name}\``].some((each) => words.includes(each)),
  )
}
