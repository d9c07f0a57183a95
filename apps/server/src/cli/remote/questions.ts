import { Argument, Option, type Command } from 'commander'

import { visibleJson } from '@dragoman/client/visible-text'
import { ServiceError } from 'dragoman/errors'
import { parseJson, type Answer, type Json } from 'dragoman/events'
import { formatPreview } from '../format-preview.ts'
import { newCommand } from '../new-command.ts'
import { printJson, printTable } from '../print-table.ts'
import { printableLine } from '../printable.ts'
import type { OperationResult, Question } from '@dragoman/client/v1'
import { connect, type Api } from './api.ts'
import { formatTime } from './format-time.ts'
import { limitOption } from './list-limit.ts'
import { addServerOptions, type ServerAddress } from './server-options.ts'

type ListOptions = ServerAddress & {
  readonly thread?: string
  readonly limit: number
  readonly json?: boolean
}

type AnswerOptions = ServerAddress & {
  readonly reason?: string
  readonly input?: string
  readonly output?: string
}

const ANSWER_DESCRIPTION =
  'Answers what a run waits for: yes or no to an approval, --output for a form or a tool of a client, no to ' +
  'decline a form. Exactly one answer counts.'

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
        .option('--input <JSON>', 'with yes: what the tool runs with in place of its input')
        .addOption(
          new Option('--output <JSON>', 'a filled-in form, or the output of a tool').conflicts('reason'),
        )
        .action(answerQuestion),
    )
}

async function listQuestions({ thread, limit, json, ...address }: ListOptions): Promise<void> {
  const page = await connect(address).call('GET /v1/questions', { query: { limit, thread } })
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
  { reason, input, output, ...address }: AnswerOptions,
): Promise<void> {
  const answer = toAnswer(word, { reason, input, output })
  const api = connect(address)
  await showQuestion(api, callId)
  await sendAnswer(api, callId, answer)
  process.stderr.write('The answer is sent; the run continues when nothing else is asked.\n')
}

/**
 * Shows all that an answer is about, before it is sent.
 * @throws ServiceError `not-found` for what is not open: there is nothing to show
 */
async function showQuestion(api: Api, callId: string): Promise<void> {
  const question = await findQuestion(api, callId)
  if (!question) {
    const sentence = `Question ${callId} is not open: it was answered, it has expired, or its run has ended.`
    throw new ServiceError('not-found', sentence)
  }
  process.stderr.write(`${printableLine(question.tool)} ${visibleJson(question.input, 2)}\n`)
  if (question.preview) process.stderr.write(`${formatPreview(question.preview)}\n`)
  if (question.message !== undefined) process.stderr.write(`${printableLine(question.message)}\n`)
  if (question.kind === 'form') process.stderr.write(`${visibleJson(question.schema ?? {}, 2)}\n`)
}

async function findQuestion(api: Api, callId: string): Promise<Question | undefined> {
  const run = runIdOf(callId)
  let before: string | undefined
  do {
    const page: OperationResult<'GET /v1/questions'> = await api.call('GET /v1/questions', {
      query: { limit: 200, run, before },
    })
    const question = page.questions.find((each) => each.callId === callId)
    if (question) return question
    before = page.before
  } while (before !== undefined)
  return undefined
}

/** The id of a call begins with that of its run. @throws ServiceError `not-found` */
function runIdOf(callId: string): string {
  const runId = callId.slice(0, Math.max(0, callId.lastIndexOf('.')))
  if (runId === '') throw new ServiceError('not-found', `There is no question ${callId}.`)
  return runId
}

/** @throws ServiceError `invalid-request` */
function toAnswer(
  word: string | undefined,
  { reason, input, output }: Record<'reason' | 'input' | 'output', string | undefined>,
): Answer {
  if ((word === undefined) === (output === undefined))
    throw new ServiceError('invalid-request', 'Answer with yes, with no, or with --output JSON.')
  if (output !== undefined) return { kind: 'output', output: parseOutput(output) }
  return {
    kind: 'approval',
    approved: word === 'yes',
    ...(input !== undefined && { input: parseOutput(input) }),
    ...(reason !== undefined && { reason }),
  }
}

/** What is no JSON is a text. */
export function parseOutput(text: string): Json {
  return parseJson(text) ?? text
}

/** @throws ServiceError `not-found`, `already-answered`, `expired` … */
export async function sendAnswer(api: Api, callId: string, answer: Answer): Promise<void> {
  const path = { id: runIdOf(callId) }
  await api.call('POST /v1/runs/{id}/answers', { path, body: { callId, answer } })
}
