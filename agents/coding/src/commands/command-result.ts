import { toolResult, type ToolResult } from 'dragoman/agents'
import type { CommandEnd } from './run-command.ts'

export type CommandOutcome = CommandEnd & {
  readonly text: string
  readonly truncated: boolean
  readonly timeoutMs: number
  readonly sandboxed: boolean
}

/** A command that failed is a result as well: its exit code says so, first. */
export function commandResult(outcome: CommandOutcome): ToolResult {
  const { timeoutMs: _, text, ...output } = outcome
  const { leftRunning } = output
  return toolResult({
    output: { ...output, output: text },
    text: [endNote(outcome), ...leftRunningNote(leftRunning), '', text === '' ? '(no output)' : text].join(
      '\n',
    ),
  })
}

function endNote({ exitCode, signal, timedOut, stopped, durationMs, timeoutMs }: CommandOutcome): string {
  if (stopped !== undefined) return `Stopped: ${stopped} What it said until then follows.`
  if (timedOut) {
    return `Timed out: it ran longer than ${timeoutMs / 1000} s and was ended. What it said until then follows.`
  }
  const took = `after ${(durationMs / 1000).toFixed(1)} s`
  if (exitCode === null) return `Ended by ${signal ?? 'an unknown signal'} ${took}.`
  return `Exit code ${exitCode} ${took}.`
}

function leftRunningNote(count: number): string[] {
  if (count === 0) return []
  return [`Processes that it had left running in the background were ended: ${count}.`]
}
