import type { ContextRules } from 'dragoman/agents'
import type { WorkflowRunner } from './workflow-runner.ts'
import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'

/**
 * Reads the workflow and its inputs from the context, or from its `forwardedProps`, which AG-UI clients send.
 * @throws ServiceError `invalid-request` that lists the workflows
 */
export function contextResolver(runners: readonly WorkflowRunner[]): NonNullable<ContextRules['resolve']> {
  return async (context) => {
    const fields = fieldsOf(context)
    const {
      runner: name,
      workflowId,
      inputs = {},
    } = 'workflowId' in fields ? fields : fieldsOf(fields['forwardedProps'])
    const runner =
      name === undefined && runners.length === 1 ? runners[0] : runners.find((each) => each.name === name)
    if (!runner) throw unknownError('runner', name, runners)
    if (!runner.workflows.some(({ id }) => id === workflowId)) {
      throw unknownError(
        'workflowId',
        workflowId,
        runner.workflows.map(({ id }) => ({ name: id })),
      )
    }
    if (!isJsonObject(inputs)) throw new ServiceError('invalid-request', 'inputs must be an object.')
    return { runner: runner.name, workflowId: workflowId ?? null, inputs }
  }
}

function fieldsOf(value: Json | undefined): { readonly [key: string]: Json } {
  return isJsonObject(value) ? value : {}
}

function unknownError(
  field: string,
  fields: Json | undefined,
  options: readonly { readonly name: string }[],
): ServiceError {
  const names = options.map(({ name }) => name).join(', ')
  const what = typeof fields === 'string' ? `is not known: ${fields.slice(0, 100)}.` : 'is missing.'
  return new ServiceError('invalid-request', `${field} ${what} There is: ${names}.`)
}
