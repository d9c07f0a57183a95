import { createHash } from 'node:crypto'

import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Attributes,
  type Link,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api'
import type { IdGenerator } from '@opentelemetry/sdk-trace'

import type { Run, Usage } from 'dragoman/events'
import type {
  AttemptActivity,
  ModelCallActivity,
  RunActivity,
  ToolCallActivity,
} from 'dragoman/observability'
import { names, ownNames, providerOf } from './names.ts'

/** Ids that the one span has which is begun next. */
export type NextIds = IdGenerator & { set(ids: { traceId: string; spanId: string }): void }

export function nextIds(): NextIds {
  let next = { traceId: '', spanId: '' }
  return {
    set: (ids) => (next = ids),
    generateTraceId: () => next.traceId,
    generateSpanId: () => next.spanId,
  }
}

export type SpanPorts = {
  readonly tracer: Tracer
  readonly ids: NextIds
  /** Whether spans carry what Langfuse reads. */
  readonly langfuse: boolean
}

/**
 * Writes what is over as a span. Ids are made of the run's, so that whichever process writes a run's spans, they stand in one trace: an
 * attempt at its root, its model calls and tools below it, and each attempt linked to the one before.
 */
export function spanWriter({ tracer, ids, langfuse }: SpanPorts): (run: Run, done: RunActivity) => void {
  return (run, done) => {
    const root = contextOf(run, attemptName(run.epoch))
    const own = done.type === 'attempt' ? root : contextOf(run, nameIn(done))
    ids.set(own)
    const { name, kind, attributes } = said(run, done)
    const span = tracer.startSpan(
      name,
      {
        kind,
        attributes: { ...common(run), ...attributes, ...(langfuse && forLangfuse(run, done)) },
        startTime: done.start,
        links: done.type === 'attempt' ? linksOf(run) : [],
      },
      done.type === 'attempt' ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, root),
    )
    if (done.error !== undefined) {
      span.setAttribute(names.errorType, done.error)
      span.setStatus({ code: SpanStatusCode.ERROR, message: done.error })
    }
    span.end(done.end)
  }
}

function contextOf(run: Run, name: string): SpanContext {
  const hash = (of: string, digits: number): string =>
    createHash('sha256').update(of).digest('hex').slice(0, digits)
  return {
    traceId: hash(run.id, 32),
    spanId: hash(`${run.id}/${name}`, 16),
    traceFlags: TraceFlags.SAMPLED,
  }
}

function attemptName(epoch: number): string {
  return `attempt/${epoch}`
}

function nameIn(done: ModelCallActivity | ToolCallActivity): string {
  return done.type === 'chat' ? `step/${done.step}` : `call/${done.callId}`
}

function linksOf(run: Run): Link[] {
  return run.epoch > 1 ? [{ context: contextOf(run, attemptName(run.epoch - 1)) }] : []
}

type Said = { readonly name: string; readonly kind: SpanKind; readonly attributes: Attributes }

function said(run: Run, done: RunActivity): Said {
  switch (done.type) {
    case 'attempt':
      return { name: `invoke_agent ${run.agent}`, kind: SpanKind.INTERNAL, attributes: ofAttempt(run, done) }
    case 'chat':
      return {
        name: done.model === undefined ? 'chat' : `chat ${providerOf(done.model).model}`,
        kind: SpanKind.CLIENT,
        attributes: ofChat(done),
      }
    case 'tool':
      return { name: `execute_tool ${done.tool}`, kind: SpanKind.INTERNAL, attributes: ofTool(done) }
  }
}

function common(run: Run): Attributes {
  return {
    [names.conversation]: run.threadId,
    [names.agentId]: run.agent,
    [ownNames.runId]: run.id,
    [names.userHash]: userHash(run.userId),
  }
}

/** By which one user's runs are known as such, and who that is is not said. */
function userHash(userId: string): string {
  return createHash('sha256').update(`dragoman/${userId}`).digest('hex').slice(0, 16)
}

function ofAttempt(run: Run, { outcome, steps, model, reason, usage }: AttemptActivity): Attributes {
  return {
    [names.operation]: 'invoke_agent',
    ...ofModel(model),
    ...ofUsage(usage),
    ...(reason && { [names.finishReasons]: [reason] }),
    [ownNames.outcome]: outcome,
    [ownNames.attempt]: run.epoch,
    [ownNames.protocol]: run.reply.protocol,
    [ownNames.steps]: steps,
  }
}

function ofChat({ model, reason, usage, start, first }: ModelCallActivity): Attributes {
  return {
    [names.operation]: 'chat',
    ...ofModel(model),
    ...ofUsage(usage),
    ...(reason && { [names.finishReasons]: [reason] }),
    ...(first !== undefined && { [names.firstChunk]: (first - start) / 1000 }),
  }
}

function ofTool({ tool, callId, side, waited, usage }: ToolCallActivity): Attributes {
  return {
    [names.operation]: 'execute_tool',
    [names.tool]: tool,
    [names.toolType]: 'function',
    [names.callId]: callId,
    [ownNames.side]: side,
    [ownNames.waited]: waited / 1000,
    ...(usage && ofUsage(usage)),
  }
}

function ofModel(name: string | undefined): Attributes {
  if (name === undefined) return {}
  const { provider, model } = providerOf(name)
  return { [names.provider]: provider, [names.model]: model }
}

function ofUsage(usage: Usage): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, estimated } = usage
  return {
    [names.inputTokens]: inputTokens,
    [names.outputTokens]: outputTokens,
    ...(cachedInputTokens !== undefined && { [names.cachedTokens]: cachedInputTokens }),
    ...(reasoningTokens !== undefined && { [names.reasoningTokens]: reasoningTokens }),
    ...(estimated && { [ownNames.estimated]: true }),
  }
}

const OBSERVATIONS = { attempt: 'agent', chat: 'generation', tool: 'tool' } as const

function forLangfuse(run: Run, { type }: RunActivity): Attributes {
  return {
    'langfuse.session.id': run.threadId,
    'langfuse.user.id': userHash(run.userId),
    'langfuse.trace.name': run.agent,
    'langfuse.observation.type': OBSERVATIONS[type],
  }
}
