import { ServiceError } from 'dragoman/errors'

/** Says why a page could not be read. */
export function unreadable(reason: string): ServiceError {
  return new ServiceError('invalid-request', `No job posting could be read from this page: ${reason}.`)
}
