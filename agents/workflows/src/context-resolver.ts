import type { ContextRules } from 'dragoman/agents'
import type { WorkflowRunner } from './workflow-runner.ts'
import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'

/**
 * Reads the workflow and its inputs from the context, or from its `forwardedProps`, which AG-UI clients send.
 * @throws ServiceError `invalid-request` that lists the workflows
 */
export function contextResolver({ name, workflows }: WorkflowRunner): NonNullable<ContextRules['resolve']> {
  return async (context) => {
    const fields = fieldsOf(context)
    const {
      runner = name,
      workflowId,
      inputs = {},
    } = 'workflowId' in fields ? fields : fieldsOf(fields['forwardedProps'])
    if (runner !== name) throw unknownError('runner', runner, [name])
    const ids = workflows.map(({ id }) => id)
    if (typeof workflowId !== 'string' || !ids.includes(workflowId))
      throw unknownError('workflowId', workflowId, ids)
    if (!isJsonObject(inputs)) throw new ServiceError('invalid-request', 'inputs must be an object.')
    return { runner, workflowId, inputs }
  }
}

function fieldsOf(value: Json | undefined): { readonly [key: string]: Json } {
  return isJsonObject(value) ? value : {}
}

function unknownError(field: string, value: Json | undefined, options: readonly string[]): ServiceError {
  const problem = typeof value === 'string' ? `is not known: ${value.slice(0, 100)}.` : 'is missing.'
  return new ServiceError('invalid-request', `${field} ${problem} There is: ${options.join(', ')}.`)
}
