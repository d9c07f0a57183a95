import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These files start servers, browsers, databases and sandboxes, or flood them. */
const SLOW = /\/(?:apps\/server\/test|chaos|attacks|e2e)\/|\/console-|\/races\.test/

/** Starts the slow test files first. Otherwise the last one would run alone. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification): boolean => SLOW.test(moduleId)
    // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
