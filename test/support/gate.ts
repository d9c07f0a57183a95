export { gate, type Gate } from '../../packages/dragoman/src/testing/gate.ts'
