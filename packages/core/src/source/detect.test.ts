import { describe, expect, it } from 'vitest'
import { looksLikeOpenApi } from './detect.js'

describe('an OpenAPI document is recognised by its content', () => {
  it.each([
    'openapi: 3.1.0\ninfo: {}\n',
    '# a comment\r\n---\r\n"openapi": "3.0.3"\r\n',
    'paths: {}\nopenapi: 3.2.0\n',
    '{ "info": {}, "openapi": "3.0.0" }',
    '\ufeff{"openapi":"3.0.0"}',
    '{ openapi: 3.1.0, paths: {} }',
    '{ "openapi": "3.1.0", "paths": { ',
    'swagger: "2.0"\npaths: { /a: { get: { x-agent: {} } } }\n'
  ])('%j', (text) => expect(looksLikeOpenApi(text)).toBe(true))

  it.each([
    '',
    'name: openapi\n',
    'api:\n  openapi: 3.1.0\n',
    'openapi: ./api.yaml\n',
    '{ "openapi": "api.json" }',
    '{ "a": { "openapi": "3.0.0" } }',
    '["openapi"]',
    'swagger: "2.0"\npaths: {}\n',
    'type: object\nproperties: {}\n'
  ])('not %j', (text) => expect(looksLikeOpenApi(text)).toBe(false))
})
