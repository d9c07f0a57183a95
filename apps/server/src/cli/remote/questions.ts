import { Argument, Option, type Command } from 'commander'

import { ServiceError } from 'dragoman/errors'
import { parseJson, type Answer, type Json } from 'dragoman/events'
import { newCommand } from '../new-command.ts'
import { printJson, printTable } from '../print-table.ts'
import { connect, type Api, type Question } from './api.ts'
import { formatTime } from './format-time.ts'
import { limitOption } from './list-limit.ts'
import { runPath } from './paths.ts'
import { addServerOptions, type ServerAddress } from './server-options.ts'

type ListOptions = ServerAddress & {
  readonly thread?: string
  readonly limit: number
  readonly json?: boolean
}

type AnswerOptions = ServerAddress & { readonly reason?: string; readonly output?: string }

const ANSWER_DESCRIPTION =
  'Answers what a run waits for: yes or no to an approval, or --output for a tool of a client. Exactly one answer ' +
  'counts.'

export function questionsCommand(): Command {
  return newCommand('questions')
    .description('Lists and answers what runs wait for. Without a command it lists it.')
    .addCommand(
      addServerOptions(newCommand('list'))
        .description('Lists open questions, the latest first.')
        .option('--thread <ID>', 'only those of a thread')
        .addOption(limitOption())
        .option('--json', 'print JSON')
        .action(listQuestions),
    )
    .addCommand(
      addServerOptions(newCommand('answer'))
        .description(ANSWER_DESCRIPTION)
        .argument('<ID>', 'the question')
        .addArgument(new Argument('[ANSWER]', 'the answer to an approval').choices(['yes', 'no']))
        .option('--reason <TEXT>', 'why; the model reads it')
        .addOption(new Option('--output <JSON>', 'the output of a tool of a client').conflicts('reason'))
        .action(answerQuestion),
    )
}

async function listQuestions({ thread, limit, json, ...address }: ListOptions): Promise<void> {
  const query = new URLSearchParams({ limit: String(limit), ...(thread !== undefined && { thread }) })
  const page = await connect(address).request<{ questions: readonly Question[] }>(
    `/v1/questions?${query.toString()}`,
  )
  if (json) return printJson(page)
  if (page.questions.length === 0) return void process.stderr.write('There are no open questions.\n')
  printTable([
    ['ID', 'KIND', 'ASKED', 'AGENT', 'TOOL', 'INPUT'],
    ...page.questions.map((question) => [
      question.callId,
      question.kind,
      formatTime(question.askedAt),
      question.agent,
      question.tool,
      JSON.stringify(question.input),
    ]),
  ])
}

async function answerQuestion(
  callId: string,
  word: string | undefined,
  { reason, output, ...address }: AnswerOptions,
): Promise<void> {
  await sendAnswer(connect(address), callId, toAnswer(word, reason, output))
  process.stderr.write('The answer is sent; the run continues when nothing else is asked.\n')
}

/** @throws ServiceError `invalid-request` */
function toAnswer(word: string | undefined, reason: string | undefined, output: string | undefined): Answer {
  if ((word === undefined) === (output === undefined))
    throw new ServiceError('invalid-request', 'Answer with yes, with no, or with --output JSON.')
  if (output !== undefined) return { kind: 'output', output: parseOutput(output) }
  return { kind: 'approval', approved: word === 'yes', ...(reason !== undefined && { reason }) }
}

/** What is no JSON is a text. */
export function parseOutput(text: string): Json {
  return parseJson(text) ?? text
}

/** The id of a call begins with that of its run. @throws ServiceError `not-found`, `already-answered`, `expired` … */
export async function sendAnswer(api: Api, callId: string, answer: Answer): Promise<void> {
  const runId = callId.slice(0, Math.max(0, callId.lastIndexOf('.')))
  if (runId === '') throw new ServiceError('not-found', `There is no question ${callId}.`)
  await api.send(`${runPath(runId)}/answers`, { body: { callId, answer } })
}
