import { validateInput, type Tool } from '../agents/index.ts'
import { describeMistakes } from '../describe-mistakes.ts'
import { ServiceError } from '../errors.ts'
import { canonicalJson, isJsonObject, type Answer, type Json, type Question } from '../events/index.ts'
import { checkBySchema } from './check-by-schema.ts'

/** What is known of the call that asks: its tool, if the agent has it, its input, and whose it is. */
type Call = { readonly tool: Tool | undefined; readonly input?: Json | undefined; readonly userId: string }

/**
 * An answer in the form of its question: many clients know one way to answer, whatever is asked.
 * @throws ServiceError `invalid-request`, naming the field, for what does not fit the question
 */
export async function toAnswer(question: Question, answer: Answer, call: Call): Promise<Answer> {
  switch (question.kind) {
    case 'output':
      if (answer.kind === 'output' || answer.kind === 'error') return answer
      throw refusal(`this call waits for an output, and for no ${answer.kind}.`)
    case 'approval':
      return checkInput(toApproval(answer), question, call)
    case 'form':
      return toFormAnswer(question, answer, call)
  }
}

function toApproval(answer: Answer): Approval {
  if (answer.kind === 'approval') return answer
  const output = answer.kind === 'error' ? null : answer.output
  if (typeof output === 'boolean') return { kind: 'approval', approved: output }
  const { approved, reason, editedArgs, input = editedArgs, ...others } = isJsonObject(output) ? output : {}
  if (typeof approved !== 'boolean') throw refusal('this call waits for an approval: {"approved": true}.')
  const [unknown] = Object.keys(others)
  // It may be meant to change what the call does.
  if (unknown !== undefined)
    throw refusal(
      'there is no such field next to approved and reason. Edited arguments are in editedArgs.',
      unknown.slice(0, 100),
    )
  return {
    kind: 'approval',
    approved,
    ...(input !== undefined && input !== null && { input }),
    ...(typeof reason === 'string' && { reason }),
  }
}

type Approval = Extract<Answer, { kind: 'approval' }>

/**
 * The tool's own schema may check more than its JSON form, which is all that is known of other tools. An input equal to
 * the call's changes nothing: the call runs as it was shown.
 */
async function checkInput(answer: Approval, { schema }: Question, call: Call): Promise<Answer> {
  const { tool, userId } = call
  const { input, ...verdict } = answer
  if (input === undefined || !answer.approved) return verdict
  if (call.input !== undefined && canonicalJson(input) === canonicalJson(call.input)) return verdict
  const issues = tool && (await validateInput(tool.inputSchema, input)).issues
  const mistakes = tool ? issues && describeMistakes(issues) : await checkBySchema(userId, schema, input)
  if (mistakes !== undefined) throw refusal(mistakes, 'input')
  return answer
}

/** A no declines, unless the form itself asks for one. */
async function toFormAnswer({ schema }: Question, answer: Answer, { userId }: Call): Promise<Answer> {
  if (answer.kind === 'error') return { kind: 'approval', approved: false, reason: answer.message }
  const asksForYes =
    isJsonObject(schema) && isJsonObject(schema['properties']) && 'approved' in schema['properties']
  if (answer.kind === 'approval' && !asksForYes) {
    if (!answer.approved) return answer
    throw refusal('this call waits for what its schema says, and for no approval.')
  }
  const output = answer.kind === 'approval' ? valueOf(answer) : answer.output
  const mistakes = await checkBySchema(userId, schema, output)
  if (mistakes !== undefined) throw refusal(mistakes, 'output')
  return { kind: 'form', output }
}

/** Clients that read every answer as an approval have written it so. */
function valueOf({ approved, input, reason }: Approval): Json {
  return { approved, ...(input !== undefined && { input }), ...(reason !== undefined && { reason }) }
}

function refusal(sentence: string, field?: string): ServiceError {
  return new ServiceError('invalid-request', `answer${field === undefined ? '' : `.${field}`}: ${sentence}`)
}
