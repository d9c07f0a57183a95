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
import { attributeNames, ownAttributeNames, splitModelName } from './attribute-names.ts'

/** Ids that are set for the next span. */
export type PresetIds = IdGenerator & { set(ids: { traceId: string; spanId: string }): void }

export function createPresetIds(): PresetIds {
  let next = { traceId: '', spanId: '' }
  return {
    set: (ids) => (next = ids),
    generateTraceId: () => next.traceId,
    generateSpanId: () => next.spanId,
  }
}

export type SpanWriterOptions = {
  readonly tracer: Tracer
  readonly ids: PresetIds
  readonly hashUser: (userId: string) => string
  /** Whether spans carry what Langfuse reads. */
  readonly langfuse: boolean
}

/**
 * Writes finished work as spans. Ids derive from the run's id, so that spans from any process form one trace: an
 * attempt at the root, its model calls and tools below it, and a link to the previous attempt.
 */
export function createSpanWriter({
  tracer,
  ids,
  hashUser,
  langfuse,
}: SpanWriterOptions): (run: Run, done: RunActivity) => void {
  return (run, done) => {
    const root = spanContext(run, attemptKey(run.epoch))
    const own = done.type === 'attempt' ? root : spanContext(run, spanKey(done))
    ids.set(own)
    const { name, kind, attributes } = describeSpan(run, done)
    const span = tracer.startSpan(
      name,
      {
        kind,
        attributes: {
          ...commonAttributes(run, hashUser(run.userId)),
          ...attributes,
          ...(langfuse && langfuseAttributes(run, done, hashUser(run.userId))),
        },
        startTime: done.start,
        links: done.type === 'attempt' ? previousAttemptLinks(run) : [],
      },
      done.type === 'attempt' ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, root),
    )
    if (done.error !== undefined) {
      span.setAttribute(attributeNames.errorType, done.error)
      span.setStatus({ code: SpanStatusCode.ERROR, message: done.error })
    }
    span.end(done.end)
  }
}

function spanContext(run: Run, name: string): SpanContext {
  const hash = (of: string, digits: number): string =>
    createHash('sha256').update(of).digest('hex').slice(0, digits)
  return {
    traceId: hash(run.id, 32),
    spanId: hash(`${run.id}/${name}`, 16),
    traceFlags: TraceFlags.SAMPLED,
  }
}

function attemptKey(epoch: number): string {
  return `attempt/${epoch}`
}

function spanKey(done: ModelCallActivity | ToolCallActivity): string {
  return done.type === 'chat' ? `step/${done.step}` : `call/${done.callId}`
}

function previousAttemptLinks(run: Run): Link[] {
  return run.epoch > 1 ? [{ context: spanContext(run, attemptKey(run.epoch - 1)) }] : []
}

type SpanDescription = { readonly name: string; readonly kind: SpanKind; readonly attributes: Attributes }

function describeSpan(run: Run, done: RunActivity): SpanDescription {
  switch (done.type) {
    case 'attempt':
      return {
        name: `invoke_agent ${run.agent}`,
        kind: SpanKind.INTERNAL,
        attributes: attemptAttributes(run, done),
      }
    case 'chat':
      return {
        name: done.model === undefined ? 'chat' : `chat ${splitModelName(done.model).model}`,
        kind: SpanKind.CLIENT,
        attributes: chatAttributes(done),
      }
    case 'tool':
      return { name: `execute_tool ${done.tool}`, kind: SpanKind.INTERNAL, attributes: toolAttributes(done) }
  }
}

function commonAttributes(run: Run, userHash: string): Attributes {
  return {
    [attributeNames.conversation]: run.threadId,
    [attributeNames.agentId]: run.agent,
    [ownAttributeNames.runId]: run.id,
    [attributeNames.userHash]: userHash,
  }
}

function attemptAttributes(run: Run, { outcome, steps, model, reason, usage }: AttemptActivity): Attributes {
  return {
    [attributeNames.operation]: 'invoke_agent',
    ...modelAttributes(model),
    ...usageAttributes(usage),
    ...(reason && { [attributeNames.finishReasons]: [reason] }),
    [ownAttributeNames.outcome]: outcome,
    [ownAttributeNames.attempt]: run.epoch,
    [ownAttributeNames.protocol]: run.reply.protocol,
    [ownAttributeNames.steps]: steps,
  }
}

function chatAttributes({ model, reason, usage, start, first }: ModelCallActivity): Attributes {
  return {
    [attributeNames.operation]: 'chat',
    ...modelAttributes(model),
    ...usageAttributes(usage),
    ...(reason && { [attributeNames.finishReasons]: [reason] }),
    ...(first !== undefined && { [attributeNames.firstChunk]: (first - start) / 1000 }),
  }
}

function toolAttributes({ tool, callId, side, waited, usage }: ToolCallActivity): Attributes {
  return {
    [attributeNames.operation]: 'execute_tool',
    [attributeNames.tool]: tool,
    [attributeNames.toolType]: 'function',
    [attributeNames.callId]: callId,
    [ownAttributeNames.side]: side,
    [ownAttributeNames.waited]: waited / 1000,
    ...(usage && usageAttributes(usage)),
  }
}

function modelAttributes(name: string | undefined): Attributes {
  if (name === undefined) return {}
  const { provider, model } = splitModelName(name)
  return { [attributeNames.provider]: provider, [attributeNames.model]: model }
}

function usageAttributes(usage: Usage): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, estimated } = usage
  return {
    [attributeNames.inputTokens]: inputTokens,
    [attributeNames.outputTokens]: outputTokens,
    ...(cachedInputTokens !== undefined && { [attributeNames.cachedTokens]: cachedInputTokens }),
    ...(reasoningTokens !== undefined && { [attributeNames.reasoningTokens]: reasoningTokens }),
    ...(estimated && { [ownAttributeNames.estimated]: true }),
  }
}

const LANGFUSE_OBSERVATION_TYPES = { attempt: 'agent', chat: 'generation', tool: 'tool' } as const

function langfuseAttributes(run: Run, { type }: RunActivity, userHash: string): Attributes {
  return {
    'langfuse.session.id': run.threadId,
    'langfuse.user.id': userHash,
    'langfuse.trace.name': run.agent,
    'langfuse.observation.type': LANGFUSE_OBSERVATION_TYPES[type],
  }
}
