import type { Reporter, TestModule } from 'vitest/node'

/** Names the tests that passed only when they were tried again, with what they said the first time. */
export class UnstableTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const { children, relativeModuleId } of modules)
      for (const test of children.allTests('passed'))
        if (test.diagnostic()?.flaky === true) {
          const reasons = test.result().errors?.map(({ message }) => message) ?? []
          process.stdout.write(`Tried again: ${relativeModuleId} > ${test.fullName}\n${reasons.join('\n')}\n`)
        }
  }
}
