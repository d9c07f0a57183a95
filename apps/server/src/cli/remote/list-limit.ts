import { InvalidArgumentError, Option } from 'commander'

const MAX_LIMIT = 200

/** How many entries a list has at most. */
export function limitOption(): Option {
  return new Option('--limit <N>', `at most so many, up to ${MAX_LIMIT}`).default(50).argParser((text) => {
    const limit = Number(text)
    if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_LIMIT}.`)
  })
}
