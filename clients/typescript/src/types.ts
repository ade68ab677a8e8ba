// What bodies and answers hold. Generated from docs/openapi.json by clients/generate; do not edit.

import type { JsonObject } from "./json.js";

/** A refusal; what it is about follows, such as the members below. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: "scope_required" | "invalid_scope" | "malformed_json" | "unknown_field" | "field_required" | "field_type" | "invalid_id" | "invalid_type" | "invalid_author" | "invalid_turn_id" | "invalid_call_id" | "invalid_path" | "unsafe_path" | "invalid_ts" | "invalid_mime" | "invalid_data" | "turn_mismatch" | "context_mismatch" | "no_active_turn" | "turn_closed" | "text_too_large" | "data_too_large" | "meta_too_large" | "too_many_blocks" | "turn_full" | "replacement_too_long" | "announce_too_large" | "sources_too_many" | "source_too_large" | "sid_conflict" | "id_conflict" | "store_unavailable" | "store_read_only" | "store_full" | "store_damaged" | "store_in_use" | "store_newer" | "store_foreign" | "invalid_config" | "invalid_argument" | "not_found" | "method_not_allowed" | "unsupported_type" | "not_ready" | "context_too_large" | "invalid_request" | "prefix_broken" | "import_malformed" | "answer_malformed" | "answer_error" | "answer_too_large" | "turn_in_progress" | "version_conflict" | "unknown_call" | "already_answered" | "calls_waiting" | "too_many_attachments" | "attachments_too_large" | "title_too_long" | "body_too_large" | "too_many_requests" | "timed_out" | "unauthenticated" | "key_expired" | "forbidden" | "summarizer_failed" | "no_progress" | "invalid_label" | "block_not_found" | "label_taken" | "ambiguous_label" | "permission_denied" | "consent_denied" | "access_denied" | "read_only" | "wrong_schema" | "schema_invalid" | "schema_kind_change" | "field_not_found" | "index_out_of_range" | "limit_exceeded" | "no_match" | "patch_conflict" | "invalid_regex" | "nothing_to_do" | "unsupported_format" | "history_trimmed" | "param_owned" | "param_rejected" | "rule_invalid" | "tool_schema_invalid" | "budget_too_small" | "build_failed" | "search_too_costly" | "search_unavailable" | "internal";
  detail: string;
  field?: string;
  actual?: unknown;
  allowed?: unknown;
  limit?: number;
  id?: string;
  waiting?: string[];
  reasons?: Reason[];
  [member: string]: unknown;
}

/** A time: ISO 8601, or seconds since 1970. */
export type Time = string | number;

/** The version of the conversation after the change. */
export interface Version {
  version: number;
}

/** Something that is wrong. */
export interface Reason {
  code: string;
  detail: string;
}

/** Whether the server is well. */
export interface Health {
  status: "ok" | "degraded";
  reasons: Reason[];
  version: string;
  store: string;
  index?: string;
  index_lag?: number;
  erasing?: boolean;
  embedding?: EmbeddingState;
}

/** How far the embedder is. */
export interface EmbeddingState {
  model: string;
  lag: number;
  made: number;
  per_minute: number;
}

/** The server should get requests. */
export interface Readiness {
  status: "ready";
}

/** Who calls, and what that one may do; key is null on a server without keys. */
export interface Caller {
  role: "reader" | "writer" | "admin";
  tenant: string;
  project: string;
  user: string | null;
  agent: string | null;
  key: string | null;
}

/** Users with conversations. */
export interface UserPage {
  users: User[];
  next_cursor: string | null;
}

/** A user with conversations. */
export interface User {
  user: string;
  conversations: number;
  last_activity_at: string;
}

/** Conversations of a user. */
export interface ConversationPage {
  conversations: ConversationRow[];
  next_cursor: string | null;
}

/** A conversation in a list. */
export interface ConversationRow {
  conversation_id: string;
  title: string | null;
  agent: string | null;
  turns: number;
  blocks: number;
  last_activity_at: string;
  version: number;
}

/** A conversation, with what it costs now. */
export interface Conversation {
  conversation_id: string;
  title: string | null;
  agent: string | null;
  turns: number;
  blocks: number;
  last_activity_at: string;
  version: number;
  open_turn: string | null;
  summaries: number;
  tokens: number;
}

/** What was erased, by kind; nothing of it is left. */
export interface Erased {
  erased: Record<string, number>;
}

/** What was erased, by kind; it is finished in the background. */
export interface Erasing {
  erased: Record<string, number>;
  pending: boolean;
}

/** A block of a conversation; data is in base64, absent means empty. */
export interface Block {
  id?: string;
  type?: string;
  kind?: string;
  author?: string;
  turn_id?: string;
  ts?: Time;
  mime?: string;
  path?: string;
  text?: string;
  data?: string;
  tool_call_id?: string;
  tool_id?: string;
  is_error?: boolean;
  meta?: JsonObject;
  hidden?: boolean;
  replacement_text?: string;
  [member: string]: unknown;
}

/** A block as it is stored or shown; a summary has the members from summary_id on. */
export interface StoredBlock {
  id?: string;
  type: string;
  author: string;
  turn_id: string;
  ts?: string;
  mime: string;
  path?: string;
  text?: string;
  data?: string;
  tool_call_id?: string;
  tool_id?: string;
  is_error?: boolean;
  meta?: JsonObject;
  hidden?: boolean;
  replacement_text?: string;
  seq?: number;
  persist?: boolean;
  tokens?: number;
  views?: BlockView[];
  summary_id?: string;
  cut_seq?: number;
  from_seq?: number;
  main_text?: string;
  split_text?: string;
  created_at?: string;
  withdrawn?: boolean;
  [member: string]: unknown;
}

/** What views of some budget show in place of a block. */
export interface BlockView {
  max_tokens: number;
  reason: string;
  replacement_text: string;
}

/** The call of another conversation that a turn works for. */
export interface TurnParent {
  conversation: string;
  turn: string;
  tool_call_id?: string;
}

/** Something that comes with a prompt: text, or data in base64. */
export interface Attachment {
  name: string;
  mime: string;
  text?: string;
  data?: string;
  summary?: string;
}

/** What Contexture adds to requests; each is true unless it is false. */
export interface Adds {
  default_instructions?: boolean;
  turn_headers?: boolean;
  activity?: boolean;
  empty_sources?: boolean;
}

/** What holds for a turn unless a call says otherwise. */
export interface TurnSettings {
  max_tokens?: number;
  cache_point_min_rounds?: number;
  cache_point_offset_rounds?: number;
  cache_ttl_seconds?: number;
  limit?: number;
  days?: number;
  on_incomplete?: "exclude" | "interrupt";
  adds?: Adds;
  user_type?: string;
  bundle_id?: string;
}

/** A turn that is open. */
export interface TurnBegun {
  turn_id: string;
  version: number;
  blocks: StoredBlock[];
  new_conversation: boolean;
  omitted_turns: number;
}

/** Turns of a conversation. */
export interface TurnPage {
  turns: TurnRow[];
  next_cursor: string | null;
}

/** A turn in a list; blocks is how many. */
export interface TurnRow {
  turn_id: string;
  status: "open" | "complete" | "interrupted" | "aborted" | "incomplete";
  agent: string | null;
  started_at: string;
  ended_at: string | null;
  parent?: TurnParent;
  reason?: string;
  blocks: number;
}

/** A turn with its blocks. */
export interface TurnLog {
  turn_id: string;
  status: "open" | "complete" | "interrupted" | "aborted" | "incomplete";
  agent: string | null;
  started_at: string;
  ended_at: string | null;
  parent?: TurnParent;
  reason?: string;
  settings?: TurnSettings;
  feedback: TurnFeedback[];
  blocks: StoredBlock[];
}

/** What somebody thought of a turn. */
export interface TurnFeedback {
  origin: string;
  reaction?: string;
  text: string;
  confidence: number;
}

/** A turn that is closed; cancelled lists calls that had no result. */
export interface TurnClosed {
  turn_id: string;
  status: "open" | "complete" | "interrupted" | "aborted" | "incomplete";
  version: number;
  cancelled?: string[];
}

/** What was added; a seq is null for what is not persisted. */
export interface Contributed {
  version: number;
  seqs: (number | null)[];
  late?: boolean;
}

/** A source; what is not listed is kept. */
export interface Source {
  sid?: number;
  url?: string;
  title?: string;
  text?: string;
  [member: string]: unknown;
}

/** The visible sources. */
export interface Sources {
  sources: Source[];
}

/** What a question to the user is about. */
export interface Ticket {
  ticket_id?: string;
  title?: string;
  status?: string;
}

/** What hiding came to. */
export interface Hidden {
  status: "ok" | "not_found" | "too_old" | "not_allowed";
  reason?: string;
  blocks_hidden: number;
  tokens_hidden: number;
  tail_tokens: number;
  tail_limit: number;
}

/** What showing again came to. */
export interface Unhidden {
  status: "ok" | "not_found" | "too_old" | "not_allowed";
  blocks_unhidden: number;
}

/** What a model would get: blocks of a transcript, or messages of the native dialect. */
export interface Rendered {
  blocks?: RenderedBlock[];
  messages?: RenderedMessage[];
  cache_points: CachePoint[];
  tokens: RenderTokens;
  over_limit: boolean;
  counter: string;
  ratio: number;
  dropped: DroppedBlock[];
  prefix_changed_at: PrefixChange | null;
  compaction: CompactionReport | null;
  previews: Preview[];
  omitted_turns: number;
  pruning: Pruning;
  version: number;
}

/** A part of a transcript. */
export interface RenderedBlock {
  type: string;
  text?: string;
  data?: string;
  media_type?: string;
  tool_call_id?: string;
  provider_call_id?: string;
  tool?: string;
  arguments?: unknown;
  is_error?: boolean;
  content?: JsonObject[];
  provider?: string;
  model?: string;
  kind?: string;
  json?: string;
  cache?: boolean;
  block_type: string;
  path?: string;
  turn_id?: string;
  seq?: number;
}

/** A message of the native dialect. */
export interface RenderedMessage {
  role: "user" | "assistant";
  content: RenderedPart[];
}

/** A part of a message. */
export interface RenderedPart {
  type: "text" | "image" | "document" | "tool_call" | "tool_result" | "opaque";
  text?: string;
  data?: string;
  media_type?: string;
  tool_call_id?: string;
  provider_call_id?: string;
  tool?: string;
  arguments?: unknown;
  is_error?: boolean;
  content?: RenderedPart[];
  provider?: string;
  model?: string;
  kind?: string;
  json?: string;
  cache?: boolean;
}

/** Where a prompt cache may end; a place in blocks, or in messages. */
export interface CachePoint {
  name: "prev_turn" | "pre_tail" | "tail";
  index?: number;
  message?: number;
  part?: number;
  tokens: number;
}

/** What a render costs. */
export interface RenderTokens {
  system: number;
  stable: number;
  tail: number;
  total: number;
  limit: number | null;
}

/** A block that is not shown, and why. */
export interface DroppedBlock {
  seq?: number;
  path?: string;
  reason: string;
}

/** From where on a render differs from the one before. */
export interface PrefixChange {
  index: number;
  cause: string;
}

/** A text that is shown shortened. */
export interface Preview {
  path?: string;
  tokens?: number;
  reason?: string;
}

/** What an expired cache let go. */
export interface Pruning {
  status: string;
  replaced: number;
}

/** What came of a compaction. */
export interface CompactionReport {
  status: "not_needed" | "started" | "completed" | "skipped" | "no_cut";
  reason: string;
  tokens_before: number;
  tokens_after: number;
  compacted_blocks: number;
  summary_block_count: number;
  summary_id?: string;
  cut_seq?: number;
  split_turn_id?: string;
  covered_turn_ids: string[];
  digest: CompactionDigest;
  summary?: string;
  receipt?: Receipt;
  archiving?: Archiving;
}

/** What the compacted blocks held, the newest of each kind; without members if nothing was compacted. */
export interface CompactionDigest {
  artifacts?: JsonObject[];
  streamed_artifacts?: JsonObject[];
  written_files?: JsonObject[];
  patched_files?: JsonObject[];
  exec_outputs?: JsonObject[];
  memsearches?: JsonObject[];
  hidden_blocks?: JsonObject[];
}

/** What happened to whole turns, where a strategy archives them. */
export interface Archiving {
  strategy: string;
  messages_before: number;
  messages_after: number;
  archived_turn_ids: string[];
  left_out_turn_ids: string[];
  warnings: string[];
}

/** What a summary kept and left out. */
export interface Receipt {
  tokens: Record<string, KeptTokens>;
  left_out: LeftOut[];
  left_out_before: number;
  writer: string;
  paths_without_reader: boolean;
  cost?: SummaryCost;
  pins?: Pin[];
}

/** What a summary costs in the provider's cache, in plain input tokens. */
export interface SummaryCost {
  rewritten_tokens: number;
  input_tokens: number;
  saved_tokens_per_request: number;
  pays_after_requests?: number;
}

/** Tokens of one kind of entries. */
export interface KeptTokens {
  kept: number;
  left_out: number;
}

/** Something that a summary does not say. */
export interface LeftOut {
  path: string;
  kind: string;
  tokens: number;
}

/** The form that an answer has to have. */
export interface OutputSchema {
  name?: string;
  schema: JsonObject;
}

/** Limits of a model, in tokens. */
export interface ContextLimits {
  max_tokens?: number;
  memory_tokens?: number;
  history_tokens?: number;
  reserved_response_tokens?: number;
}

/** How a request is made up. */
export interface ContextConfig {
  max_tokens?: number;
  memory_tokens?: number;
  history_tokens?: number;
  reserved_response_tokens?: number;
  model_overrides?: Record<string, ContextLimits>;
  include_descriptions?: boolean;
  include_schemas?: boolean;
  activity_entries_limit?: number;
  max_messages_cap?: number;
  memory_refresh?: "per_epoch" | "every_build";
  compression_strategy?: CompressionStrategy;
}

/** What is done when the history is too long. */
export interface CompressionStrategy {
  kind: "compaction" | "truncate" | "recursive_summarization";
  preset?: "balanced" | "standard" | "economical";
  keep_recent?: number;
  chunk_size?: number;
  summarization_model?: string;
  prompt?: string;
}

/** The body to send to the provider, as it is, and what is in it. */
export interface BuiltRequest {
  request_id: string;
  request: JsonObject;
  metadata: RequestMetadata;
  path: string;
  headers: Record<string, string>;
}

/** What is in a request, and why. */
export interface RequestMetadata {
  tokens: RequestTokens;
  limits: RequestLimits;
  counts: RequestCounts;
  compression: Compression;
  epoch: Epoch | null;
  block_labels: string[];
  warnings: Finding[];
  dropped: Omission[];
  truncated: Omission[];
  cache_marks: CacheMark[];
  repairs: Repair[];
  prefix: string;
  rebased_by?: string;
  divergence?: Divergence;
}

/** Tokens by section, and what the provider will count. */
export interface RequestTokens {
  instructions: number;
  core: number;
  working: number;
  activity: number;
  rules: number;
  tools: number;
  summary: number;
  history: number;
  memory_update: number;
  tail: number;
  total: number;
  estimate?: TokenEstimate;
}

/** What the provider will count. */
export interface TokenEstimate {
  tokens: number;
  low: number;
  high: number;
  method: string;
  samples: number;
}

/** The limits of a request, in tokens. */
export interface RequestLimits {
  max_tokens: number;
  memory_tokens: number;
  history_tokens: number;
  reserved_response_tokens: number;
  history_budget: number;
}

/** How many there are. */
export interface RequestCounts {
  messages: number;
  turns: number;
  tools: number;
  omitted_turns: number;
}

/** What was done to the history. */
export interface Compression {
  strategy: string;
  applied: boolean;
  messages_before: number;
  messages_after: number;
  tokens_before: number;
  tokens_after: number;
  archived_turn_ids: string[];
  summary_id: string | null;
  report: CompactionReport | null;
}

/** Since when memory is repeated as it was. */
export interface Epoch {
  number: number;
  cause: string | null;
  updated: string[];
  no_longer_shown: string[];
}

/** Something to know about a request. */
export interface Finding {
  code: string;
  where: string;
  message: string;
}

/** Something that is left out or shortened. */
export interface Omission {
  kind: string;
  id: string;
  reason: string;
  detail: string;
  tokens: number;
}

/** A mark of the provider's cache, by its place in the body. */
export interface CacheMark {
  point: string;
  where: string;
}

/** What was changed so that the provider accepts it. */
export interface Repair {
  code: string;
  where: string;
  reason: string;
}

/** Where a request differs from what the provider's cache holds. */
export interface Divergence {
  previous: unknown;
  block: number;
  tier: string;
  kind: string;
  path: string;
  was: string;
  now: string;
  offset: number;
  actor: string;
  operation: string;
  at?: string;
  tokens_lost: number;
  cost_lost: number;
  thinking_lost: number[];
  advice: string;
  cost_unit: string;
  money_lost?: number;
  currency?: string;
}

/** Whose epochs ended. */
export interface EpochStarted {
  agents: string[];
  version: number;
}

/** What a tool gave: a text, parts, or any object. */
export type Content = string | ResultPart[] | JsonObject;

/** A part of what a tool gave. */
export interface ResultPart {
  type: "text" | "image" | "document";
  text?: string;
  data?: string;
  media_type?: string;
}

/** The result of a call, named by one of the three ids. */
export interface Result {
  tool_call_id?: string;
  provider_call_id?: string;
  index?: number;
  content: Content;
  is_error?: boolean;
  turn_id?: string;
}

/** A call that the model wants. */
export interface ToolCall {
  tool_call_id: string;
  provider_call_id?: string;
  tool: string;
  arguments: unknown;
}

/** What an answer cost, in tokens. */
export interface Usage {
  total_input: number;
  cache_read: number;
  cache_write_5m: number;
  cache_write_1h: number;
  cache_write: number;
  uncached: number;
  output: number;
}

/** A recorded answer: what the model said, and what it means for the loop. */
export interface Reply {
  version: number;
  text: string;
  calls: ToolCall[];
  stop: "end" | "tool_use" | "max_tokens" | "context_limit" | "refusal" | "content_filter" | "pause" | "other" | "cancelled";
  usage: Usage | null;
  outcome: "calls" | "answered" | "paused" | "truncated" | "refused" | "context_limit" | "empty";
  done: boolean;
  dropped?: Omission[];
}

/** What was added: for one result, or for each of several. */
export interface ResultsRecorded {
  version: number;
  seqs?: (number | null)[];
  late?: boolean;
  results?: Contributed[];
}

/** What a step stored, and the next request. */
export interface StepAnswer {
  turn_id: string;
  version: number;
  turn?: TurnBegun;
  reply?: Reply;
  results?: Contributed[];
  status?: "open" | "complete" | "interrupted" | "aborted" | "incomplete";
  cancelled?: string[];
  request_id?: string;
  request?: JsonObject;
  metadata?: RequestMetadata;
  path?: string;
  headers?: Record<string, string>;
  request_problem?: Problem;
}

/** Records of requests. */
export interface RequestPage {
  requests: RequestRecord[];
  next_cursor: string | null;
}

/** The record of a request; request is the body again, diff what differs from the one before. */
export interface RequestRecord {
  request_id: string;
  turn_id: string | null;
  ts: string;
  provider: string;
  format: string;
  model: string;
  agent?: string;
  system_tokens: number;
  stable_tokens: number;
  tail_tokens: number;
  total_tokens: number;
  sections: RequestTokens;
  max_tokens: number;
  base_tokens: number;
  media_tokens: number;
  estimated_tokens: number;
  body_bytes: number;
  aliases: Record<string, string>;
  scope: string;
  settings: RequestSettings;
  cache_settings: CacheSetting[];
  path?: string;
  proof?: string;
  repairs: RecordedRepair[];
  prefix: string;
  rebased_by?: string;
  epoch: string;
  epoch_cause?: string;
  blocks: number;
  marks: string[];
  predicted?: CacheUse;
  rewritten?: Rewritten;
  spent?: Spent;
  cost_unit?: string;
  currency?: string;
  catalogue_revision?: string;
  token_ratio?: number;
  usage?: Usage;
  unexplained_tokens?: number;
  first_token?: string;
  divergence?: Divergence;
  erased?: JsonObject;
  request?: JsonObject;
  diff?: RequestDifference;
}

/** What a request asked for, with the parameters that the provider got. */
export interface RequestSettings {
  max_output_tokens: number;
  stream: boolean;
  tool_choice: string;
  intent: string;
  system_life: string;
  message_life: string;
  [member: string]: unknown;
}

/** What was changed so that the provider accepts it; hash_before: of the block before that. */
export interface RecordedRepair {
  code: string;
  where: string;
  reason: string;
  hash_before?: string;
}

/** A parameter on which the provider's cache depends. */
export interface CacheSetting {
  name: string;
  tier: string;
  value: string;
}

/** What a prompt cache is expected to do. */
export interface CacheUse {
  read: number;
  write: number;
  uncached: number;
  cost: number;
  money?: number;
}

/** What is written to the cache again. */
export interface Rewritten {
  tokens: number;
  kept: number;
  inserted: number;
  cost: number;
  money?: number;
}

/** What a request cost by the usage that the provider reported. */
export interface Spent {
  cost: number;
  input_money?: number;
  output_money?: number;
  money?: number;
}

/** What differs from the request before. */
export interface RequestDifference {
  previous?: string;
  prefix: string;
  shared_blocks: number;
  shared_tokens: number;
  removed: LedgerBlock[];
  added: LedgerBlock[];
  divergence?: Divergence;
}

/** A block of a request. */
export interface LedgerBlock {
  hash: string;
  tier: string;
  kind: string;
  role: string;
  tokens: number;
  path: string | null;
  seq: number | null;
  actor: string | null;
}

/** What the recorded requests cost together. */
export interface UsageSum {
  requests: number;
  answered: number;
  since: string | null;
  input_tokens: number;
  cache_read: number;
  cache_write: number;
  uncached: number;
  output_tokens: number;
  cost: number;
  cost_unit: string;
  money: number | null;
  currency: string | null;
}

/** Why each part of a request is there; without limits and what follows if that was not recorded. */
export interface RequestReasons {
  request_id: string;
  recorded: boolean;
  parts: RequestPart[];
  limits?: RequestLimits;
  memory?: string[];
  dropped?: Omission[];
  truncated?: Omission[];
}

/** A part of a request, and why it is there. */
export interface RequestPart {
  index: number;
  tier: string;
  kind: string;
  role: string;
  tokens: number;
  path: string;
  seq: number;
  actor: string;
  reason: string;
  detail: string;
  excerpt: string;
  mark?: boolean;
}

/** Whether a request shows something, and why or why not; part is the index of the part that holds it. */
export interface PathReason {
  request_id: string;
  path: string;
  status: "sent" | "shortened" | "summarized" | "not_sent" | "unknown";
  reason: string;
  detail: string;
  advice: string;
  tokens: number;
  part: number | null;
  summary: StandIn | null;
}

/** The summary that stands for something. */
export interface StandIn {
  summary_id?: string;
  path?: string;
  cut_seq?: number;
  entry?: SummaryEntry | null;
}

/** What a prompt cache makes of the newest requests, oldest first, and with another choice. */
export interface Simulation {
  choices: string;
  request_ids: string[];
  actual: CacheReport | null;
  what_if: CacheReport | null;
}

/** What became of a file of another program. */
export interface FileReport {
  conversations: ImportedChat[];
  memory: ImportedMemory[];
}

/** A conversation of a file. */
export interface ImportedChat {
  conversation_id: string;
  format: "openai" | "openai_responses" | "anthropic" | "gemini" | "langchain" | "langchain4j" | "vercel_ai" | "chatgpt" | "claude" | "claude_code" | "letta" | "mcp_memory" | "sharegpt" | "auto";
  title?: string;
  agent?: string;
  turns: number;
  known_turns: number;
  blocks: number;
  instructions: string[];
  repairs: Repair[];
}

/** A memory block of a file; not stored: it was there. */
export interface ImportedMemory {
  agent: string;
  label: string;
  format: "openai" | "openai_responses" | "anthropic" | "gemini" | "langchain" | "langchain4j" | "vercel_ai" | "chatgpt" | "claude" | "claude_code" | "letta" | "mcp_memory" | "sharegpt" | "auto";
  stored: boolean;
}

/** What an archive held. */
export interface ArchiveReport {
  format: "archive";
  conversations: number;
  turns: number;
  blocks: number;
  entries: number;
  unchanged: number;
}

/** A foreign history that was taken in. */
export interface Imported {
  turns: number;
  blocks: number;
  instructions: string[];
  repairs: Repair[];
}

/** The rules that a body breaks. */
export interface Validation {
  valid: boolean;
  violations: Violation[];
}

/** A rule that a body breaks; where is a JSON Pointer. */
export interface Violation {
  code: string;
  where: string;
  message: string;
  warning: boolean;
}

/** What a prompt cache makes of requests. */
export interface CacheReport {
  cost_unit: string;
  requests: SimulatedRequest[];
  total: CacheTotal;
}

/** What a prompt cache makes of one request. */
export interface SimulatedRequest {
  read: number;
  write: number;
  uncached: number;
  cost: number;
  rewritten: number;
  misses: CacheMiss[];
}

/** Where the cache was lost. */
export interface CacheMiss {
  cause: string;
  block: number;
  tokens_lost: number;
  cost_lost: number;
  detail: string;
}

/** What it makes of all of them. */
export interface CacheTotal {
  read: number;
  write: number;
  uncached: number;
  cost: number;
  cost_no_cache: number;
  cost_ideal: number;
  efficiency: number;
  rewritten: number;
  rewrite_cost: number;
  money: CacheMoney | null;
}

/** The same in money. */
export interface CacheMoney {
  currency: string;
  cost: number;
  cost_no_cache: number;
  cost_ideal: number;
  rewrite_cost: number;
}

/** The catalogue of models. */
export interface ModelCatalogue {
  revision: string;
  currency: string;
  price_unit_tokens: number;
  models: Model[];
  sources: Record<string, FactSource>;
}

/** The names that fields of requests may have. */
export interface Choices {
  block_type: string[];
  permission: string[];
  search_mode: string[];
  search_content_type: string[];
  policy: string[];
}

/** A model. */
export interface Model {
  provider: string;
  model: string;
  apis: ("anthropic" | "openai_chat" | "openai_responses" | "gemini")[];
  compat: boolean;
  context_window: number;
  max_input?: number;
  max_output: number;
  prices: ModelPrice[] | null;
  tokenizer: string;
  cache: ModelCache;
  flags: string[];
  sources: Record<string, string[]>;
}

/** How the provider caches prompts of the model; read and write as shares of the price of input. */
export interface ModelCache {
  mode: string;
  min_tokens: number;
  max_marks: number;
  ttl: string[];
  read: number;
  write: number;
}

/** The price of a model, from a day to a day. */
export interface ModelPrice {
  input: number;
  output: number;
  cache_read?: number;
  cache_write?: number;
  from?: string;
  to?: string;
  tiers?: PriceTier[];
}

/** The price of a longer request. */
export interface PriceTier {
  above_input_tokens: number;
  input: number;
  output: number;
}

/** Where a fact is from. */
export interface FactSource {
  title: string;
  url?: string;
}

/** What is stored or visible. */
export interface TimelinePage {
  version: number;
  blocks: StoredBlock[];
}

/** What a turn may work with. */
export interface TurnContext {
  version: number;
  summary: StoredBlock | null;
  history_blocks: StoredBlock[];
  current_turn_blocks: StoredBlock[];
  omitted_turns: number;
}

/** What a path names. */
export interface Artifact {
  path: string;
  mime: string;
  kind: string;
  text?: string;
  data?: string;
  ts: string | null;
  meta: JsonObject;
  versions: number;
}

/** Summaries. */
export interface SummaryPage {
  summaries: SummaryRow[];
  next_cursor: string | null;
}

/** A summary without what it says. */
export interface SummaryRow {
  summary_id: string;
  cut_seq: number;
  from_seq: number;
  turn_id: string;
  path: string;
  covered_turn_ids: string[];
  digest: unknown;
  created_at: string;
  withdrawn: boolean;
}

/** A summary with its text, its entries and what it left out. */
export interface Summary {
  summary_id: string;
  cut_seq: number;
  from_seq: number;
  turn_id: string;
  path: string;
  covered_turn_ids: string[];
  digest: unknown;
  created_at: string;
  withdrawn: boolean;
  text: string;
  entries: SummaryEntry[];
  receipt: Receipt | null;
}

/** Something that a summary says. */
export interface SummaryEntry {
  kind: string;
  turn: string;
  seq?: number;
  path?: string;
  text: string;
  tokens: number;
  [member: string]: unknown;
}

/** What is pinned. */
export interface Pins {
  pins: Pin[];
  tokens: number;
}

/** A path that is pinned. */
export interface Pin {
  path: string;
  tokens: number;
  pinned_at: string;
}

/** Whether it was pinned. */
export interface Unpinned {
  removed: boolean;
}

/** What a tool contributed to the turn. */
export interface ToolBlocks {
  blocks: StoredBlock[];
}

/** A rule for calls of tools. */
export interface Rule {
  type: "exit_loop" | "continue_loop" | "start_constraint" | "max_calls" | "requires_prior" | "allowed_operations";
  tool: string;
  n?: number;
  prior?: string;
  operations?: string[];
}

/** A call to judge. */
export interface RuleCall {
  tool: string;
  arguments?: JsonObject;
}

/** Whether a call is allowed, and what comes next. */
export interface RuleDecision {
  decision: "allowed" | "violated";
  violation?: RuleViolation;
  next: "exit" | "continue" | "model_decides";
}

/** The rule that a call breaks. */
export interface RuleViolation {
  type: string;
  message: string;
  tool?: string;
  [member: string]: unknown;
}

/** Agents. */
export interface AgentPage {
  agents: Agent[];
  next_cursor: string | null;
}

/** An agent. */
export interface Agent {
  agent: string;
  name: string;
  description: string;
  created_at: string;
  partner: string | null;
}

/** A memory block that was made. */
export interface MemoryBlockMade {
  id: string;
  label: string;
  user?: string;
  version: number;
}

/** Memory blocks. */
export interface MemoryBlocks {
  blocks: MemoryBlockInfo[];
}

/** A memory block without its content. */
export interface MemoryBlockInfo {
  id: string;
  owner: string;
  user?: string;
  label: string;
  description: string;
  block_type: "core" | "working" | "archival" | "log";
  schema: JsonObject;
  char_limit: number;
  permission: "read_only" | "partner" | "human" | "append" | "read_write" | "admin";
  pinned: boolean;
  created_at: string;
  updated_at: string;
  version: number;
  size: number;
}

/** A memory block with its content. */
export interface MemoryBlock {
  id: string;
  owner: string;
  user?: string;
  label: string;
  description: string;
  block_type: "core" | "working" | "archival" | "log";
  schema: JsonObject;
  char_limit: number;
  permission: "read_only" | "partner" | "human" | "append" | "read_write" | "admin";
  pinned: boolean;
  created_at: string;
  updated_at: string;
  version: number;
  size: number;
  rendered: string;
  value: unknown;
}

/** An operation on a memory block; what it needs follows. */
export interface Op {
  op: string;
  section?: string;
  [member: string]: unknown;
}

/** What the operations gave. */
export interface MemoryEdited {
  results: OpResult[];
  version: number;
}

/** What one operation gave: nothing, whether a text was replaced, the value of a counter, or that it was not applied, and why. */
export interface OpResult {
  applied?: boolean;
  reason?: string;
  replaced?: boolean;
  value?: unknown;
  [member: string]: unknown;
}

/** What an undo or a redo came to. */
export interface MemoryUndone {
  done: boolean;
  undo_depth: number;
  redo_depth: number;
  version: number;
}

/** Versions of a memory block. */
export interface MemoryVersions {
  versions: MemoryVersion[];
}

/** A version of a memory block. */
export interface MemoryVersion {
  version: number;
  ts: string;
  actor: string;
  operation: string;
  message: string;
  size: number;
  granted_by?: string;
  granted_at?: string;
}

/** With whom a block is shared. */
export interface Share {
  agent: string;
  permission: "read_only" | "partner" | "human" | "append" | "read_write" | "admin";
}

/** With whom a block is shared. */
export interface ShareList {
  shares: Share[];
}

/** Blocks that are shared with an agent. */
export interface SharedBlocks {
  blocks: SharedBlock[];
}

/** A block that is shared with an agent. */
export interface SharedBlock {
  id: string;
  owner: string;
  owner_name: string;
  user?: string;
  label: string;
  description: string;
  block_type: "core" | "working" | "archival" | "log";
  permission: "read_only" | "partner" | "human" | "append" | "read_write" | "admin";
  pinned: boolean;
}

/** The id of an archival entry. */
export interface ArchivalId {
  id: string;
}

/** Archival entries. */
export interface ArchivalPage {
  entries: ArchivalRow[];
  next_cursor: string | null;
}

/** An archival entry in a list. */
export interface ArchivalRow {
  id: string;
  agent: string;
  user?: string;
  content?: string;
  excerpt: string;
  content_chars: number;
  ts: string;
  metadata?: unknown;
}

/** An archival entry. */
export interface ArchivalEntry {
  id: string;
  agent: string;
  user?: string;
  content: string;
  content_chars: number;
  ts: string;
  metadata?: unknown;
}

/** Users who have memory of their own at an agent. */
export interface AgentUsers {
  users: string[];
}

/** What was given to somebody else. */
export interface MemoryMoved {
  blocks: MemoryBlockInfo[];
  entries: ArchivalRow[];
  dry_run: boolean;
}

/** The block that each user gets. */
export interface BlockTemplate {
  label: string;
  description: string;
  block_type: "core" | "working" | "archival" | "log";
  schema: JsonObject;
}

/** What waits for approval. */
export interface Consents {
  consents: Consent[];
}

/** A write that waits for approval. */
export interface Consent {
  id: string;
  actor: string;
  kind: string;
  owner: string;
  user?: string;
  label: string;
  operation: string;
  preview: string;
  preview_omitted: number;
  version: number;
  asked_at: string;
  expires_at: string;
}

/** What was decided. */
export interface ConsentAnswer {
  id: string;
  decision: "grant" | "deny";
}

/** What a request would tell the agent now. */
export interface AgentPrompt {
  system: string[];
}

/** Tools, as a request takes them. */
export interface ToolList {
  tools: ToolDefinition[];
}

/** A tool. */
export interface ToolDefinition {
  name: string;
  description: string;
  input_schema: JsonObject;
}

/** What a tool gave. */
export interface ToolOutcome {
  success: boolean;
  [member: string]: unknown;
}

/** What was found, the best first. */
export interface SearchAnswer {
  mode_used: string;
  notes: SearchNote[];
  hits: Hit[];
}

/** Why an answer is less than what was asked for. */
export interface SearchNote {
  code: string;
  detail: string;
  count: number;
}

/** Something that was found. */
export interface Hit {
  id: string;
  type: string;
  agent?: string;
  user?: string;
  conversation?: string;
  role?: string;
  path?: string;
  label?: string;
  content?: string;
  excerpt: string;
  content_chars: number;
  score: number;
  why: HitReason;
  ts?: string;
}

/** Why it was found, and ranks where it does. */
export interface HitReason {
  bm25?: number;
  keyword_rank?: number;
  cosine?: number;
  vector_rank?: number;
  shares?: HitShares;
  words: string[];
  typos?: Record<string, unknown>;
}

/** What words and meaning give to a score. */
export interface HitShares {
  words: number;
  meaning: number;
  weight: number;
}

/** The search index. */
export interface IndexState {
  entries: number;
  lag: number;
}

/** Entries of the audit log. */
export interface AuditEntries {
  entries: AuditEntry[];
}

/** A call that is for administrators or erases, a key that changed, or what outlived the rules; damaged: no entry any more. */
export interface AuditEntry {
  ts?: string;
  action?: string;
  request?: string;
  by?: string;
  key?: string;
  key_name?: string;
  address?: string;
  tenant?: string;
  project?: string;
  target?: Record<string, unknown>;
  status?: number;
  outcome?: string;
  code?: string;
  damaged?: boolean;
  [member: string]: unknown;
}

/** What outlived the rules; at most 1,000 conversations are named, all are counted. */
export interface RetentionReport {
  rules: string;
  dry_run: boolean;
  counts: RetentionCounts;
  conversations: OutlivedConversation[];
  pending: boolean;
}

/** How many there are of each kind. */
export interface RetentionCounts {
  conversations: number;
  requests: number;
  events: number;
}

/** A conversation that outlived the rules. */
export interface OutlivedConversation {
  tenant: string;
  project: string;
  user: string;
  conversation: string;
  last_activity_at: string;
}

/** The data of an event of a conversation; what belongs to its type follows. request and compacting have no version. */
export interface ConversationEvent {
  type: "block" | "turn" | "visibility" | "announce" | "sources" | "compaction" | "compacting" | "title" | "feedback" | "erase" | "request";
  version?: number;
  turn_id?: string;
  seq?: number;
  block?: StoredBlock;
  request_id?: string;
  [member: string]: unknown;
}

/** The data of an event of the project, change. */
export interface ProjectChange {
  user: string;
  conversation: string;
  version: number;
  first_seq?: number;
  last_seq?: number;
  note: unknown;
}

/** The data of an event of the memory of an agent. */
export interface MemoryChange {
  type: "created" | "changed" | "undone" | "redone" | "configured" | "shared" | "unshared" | "deleted";
  id: string;
  owner: string;
  user?: string;
  label: string;
  version: number;
  actor: string;
  operation: string;
  message: string;
  ts: string;
}

/** The body of renameConversation. */
export interface RenameConversationBody {
  title: string;
}

/** The body of startTurn. */
export interface StartTurnBody {
  prompt?: string;
  turn_id?: string;
  agent?: string;
  parent?: TurnParent;
  attachments?: Attachment[];
  ts?: Time;
  supersede?: "interrupt" | "abort";
  settings?: TurnSettings;
}

/** The body of finishTurn. */
export interface FinishTurnBody {
  completion?: string;
  sources_used?: number[];
  suggested_followups?: string[];
  state?: unknown;
  exit_reason?: string;
  ts?: Time;
}

/** The body of interruptTurn. */
export interface InterruptTurnBody {
  reason: string;
}

/** The body of abortTurn. */
export interface AbortTurnBody {
  reason: string;
}

/** The body of addBlocks. */
export interface AddBlocksBody {
  blocks: Block[];
  persist?: boolean;
  expected_version?: number;
}

/** The body of setAnnouncement. */
export interface SetAnnouncementBody {
  blocks: Block[];
}

/** The body of setSources. */
export interface SetSourcesBody {
  sources: Source[];
}

/** The body of mergeSources. */
export interface MergeSourcesBody {
  sources: Source[];
}

/** The body of hidePath. */
export interface HidePathBody {
  path: string;
  replacement?: string;
}

/** The body of unhidePath. */
export interface UnhidePathBody {
  path: string;
}

/** The body of addFeedback. */
export interface AddFeedbackBody {
  target_turn_id: string;
  origin: string;
  reaction?: string;
  text?: string;
  confidence?: number;
}

/** The body of askClarification. */
export interface AskClarificationBody {
  questions: string[];
  ticket?: Ticket;
}

/** The body of resolveClarification. */
export interface ResolveClarificationBody {
  ticket: Ticket;
  resolved_with_answer: string;
}

/** The body of validateRequest. */
export interface ValidateRequestBody {
  provider: "anthropic" | "openai_chat" | "openai_responses" | "gemini";
  model: string;
  request: JsonObject;
  api_version?: string;
  compat?: boolean;
}

/** The body of simulateCache. */
export interface SimulateCacheBody {
  provider: "anthropic" | "openai_chat" | "openai_responses" | "gemini";
  model: string;
  requests: JsonObject[];
  gaps_seconds?: number[];
}

/** The body of importHistory. */
export interface ImportHistoryBody {
  format: "openai" | "openai_responses" | "anthropic" | "gemini" | "langchain" | "langchain4j" | "vercel_ai" | "chatgpt" | "claude" | "claude_code" | "letta" | "mcp_memory" | "sharegpt" | "auto";
  messages: unknown;
  system?: unknown;
  import_id?: string;
  model?: string;
  agent?: string;
  ts?: Time;
}

/** The body of renderConversation. */
export interface RenderConversationBody {
  max_tokens?: number;
  system_text?: string;
  policy?: "balanced" | "standard" | "economical";
  force_sanitize?: boolean;
  read_only?: boolean;
  keep_recent_turns?: number;
  include_sources?: boolean;
  include_announce?: boolean;
  cache_last?: boolean;
  exclude_contributions?: string[];
  include_only_contributions?: string[];
  dialect?: "transcript" | "native";
  cache_point_min_rounds?: number;
  cache_point_offset_rounds?: number;
  cache_ttl_seconds?: number;
  limit?: number;
  days?: number;
  text_only?: boolean;
  strict_budget?: boolean;
  tokenizer?: "o200k_base" | "cl100k_base" | "chars4";
  adds?: Adds;
}

/** The body of buildRequest. */
export interface BuildRequestBody {
  provider: "anthropic" | "openai_chat" | "openai_responses" | "gemini";
  model: string;
  agent?: string;
  base_instructions?: string;
  tools?: JsonObject[];
  tool_rules?: Rule[];
  batch_blocks?: string[];
  max_output_tokens?: number;
  include_sources?: boolean;
  include_announce?: boolean;
  limit?: number;
  days?: number;
  adds?: Adds;
  config?: ContextConfig;
  tool_choice?: unknown;
  thinking?: unknown;
  effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  output_schema?: OutputSchema;
  params?: JsonObject;
  api_version?: string;
  stream?: boolean;
  compat?: boolean;
  waiting?: "cancel" | "omit";
  force_compaction?: boolean;
}

/** The body of startEpoch. */
export interface StartEpochBody {
  agent?: string;
}

/** The body of recordResponse. */
export interface RecordResponseBody {
  provider: "anthropic" | "openai_chat" | "openai_responses" | "gemini";
  model: string;
  response: JsonObject;
  request_id?: string;
  partial?: boolean;
}

/** The body of recordResults. */
export interface RecordResultsBody {
  tool_call_id?: string;
  content?: Content;
  is_error?: boolean;
  turn_id?: string;
  results?: Result[];
}

/** The body of step. */
export interface StepBody {
  step_id?: string;
  turn?: StartTurnBody;
  response?: RecordResponseBody;
  results?: Result[];
  finish?: FinishTurnBody;
  request?: BuildRequestBody;
}

/** The body of pinPath. */
export interface PinPathBody {
  path: string;
  max_tokens?: number;
}

/** The body of compactConversation. */
export interface CompactConversationBody {
  max_tokens?: number;
  force?: boolean;
  system_text?: string;
  policy?: "balanced" | "standard" | "economical";
  keep_recent_turns?: number;
  tokenizer?: "o200k_base" | "cl100k_base" | "chars4";
  dry_run?: boolean;
}

/** The body of runTool. */
export interface RunToolBody {
  tool_call_id?: string;
  params?: JsonObject;
}

/** The body of checkRules. */
export interface CheckRulesBody {
  tool_rules: Rule[];
  call: RuleCall;
}

/** The body of putAgent. */
export interface PutAgentBody {
  name?: string;
  description?: string;
  partner?: string | null;
}

/** The body of addArchivalEntry. */
export interface AddArchivalEntryBody {
  content: string;
  metadata?: unknown;
  user?: string;
}

/** The body of moveMemory. */
export interface MoveMemoryBody {
  user?: string;
  to?: string | null;
  labels?: string[];
  entries?: string[];
  dry_run?: boolean;
}

/** The body of setTemplate. */
export interface SetTemplateBody {
  label: string;
  description?: string;
  block_type?: "core" | "working" | "archival" | "log";
  schema?: JsonObject;
}

/** The body of answerConsent. */
export interface AnswerConsentBody {
  decision: "grant" | "deny";
  reason?: string;
}

/** The body of restoreMemoryBlock. */
export interface RestoreMemoryBlockBody {
  id: string;
  user?: string;
}

/** The body of createMemoryBlock. */
export interface CreateMemoryBlockBody {
  label: string;
  block_type: "core" | "working" | "archival" | "log";
  description?: string;
  schema?: JsonObject;
  permission?: "read_only" | "partner" | "human" | "append" | "read_write" | "admin";
  pinned?: boolean;
  char_limit?: number;
  content?: unknown;
  user?: string;
}

/** The body of changeMemoryBlock. */
export interface ChangeMemoryBlockBody {
  pinned?: boolean;
  block_type?: "core" | "working" | "archival" | "log";
  schema?: JsonObject;
  description?: string;
  permission?: "read_only" | "partner" | "human" | "append" | "read_write" | "admin";
  char_limit?: number;
  user?: string;
}

/** The body of editMemoryBlock. */
export interface EditMemoryBlockBody {
  ops: Op[];
  owner?: string;
  base_version?: number;
  message?: string;
  user?: string;
}

/** The body of undoMemoryBlock. */
export interface UndoMemoryBlockBody {
  author?: string;
  user?: string;
}

/** The body of redoMemoryBlock. */
export interface RedoMemoryBlockBody {
  author?: string;
  user?: string;
}

/** The body of shareMemoryBlock. */
export interface ShareMemoryBlockBody {
  agent: string;
  permission: "read_only" | "partner" | "human" | "append" | "read_write" | "admin";
  user?: string;
}

/** The body of runMemoryTool. */
export interface RunMemoryToolBody {
  params?: JsonObject;
  user?: string;
}

/** The body of importFile. */
export interface ImportFileBody {
  file: string;
  name?: string;
  format?: "openai" | "openai_responses" | "anthropic" | "gemini" | "langchain" | "langchain4j" | "vercel_ai" | "chatgpt" | "claude" | "claude_code" | "letta" | "mcp_memory" | "sharegpt" | "auto";
  conversation?: string;
  agent?: string;
  model?: string;
  ts?: Time;
  dry_run?: boolean;
}

/** The body of importArchive. */
export interface ImportArchiveBody {
  file: string;
}

/** The body of searchAgent. */
export interface SearchAgentBody {
  query: string;
  mode?: "fts" | "vector" | "hybrid" | "rrf" | "auto";
  content_types?: ("messages" | "blocks" | "archival")[];
  limit?: number;
  from?: Time;
  to?: Time;
  roles?: string[];
  user?: string;
  conversation?: string;
  raw?: boolean;
  metadata?: JsonObject;
  min_similarity?: number;
  content?: "excerpt" | "full";
}

/** The body of searchUser. */
export interface SearchUserBody {
  query: string;
  mode?: "fts" | "vector" | "hybrid" | "rrf" | "auto";
  content_types?: ("messages" | "blocks" | "archival")[];
  limit?: number;
  from?: Time;
  to?: Time;
  roles?: string[];
  user?: string;
  conversation?: string;
  raw?: boolean;
  metadata?: JsonObject;
  min_similarity?: number;
  content?: "excerpt" | "full";
}

/** The body of searchProject. */
export interface SearchProjectBody {
  query: string;
  mode?: "fts" | "vector" | "hybrid" | "rrf" | "auto";
  content_types?: ("messages" | "blocks" | "archival")[];
  limit?: number;
  from?: Time;
  to?: Time;
  roles?: string[];
  user?: string;
  conversation?: string;
  raw?: boolean;
  metadata?: JsonObject;
  min_similarity?: number;
  content?: "excerpt" | "full";
}

/** The body of retain. */
export interface RetainBody {
  rules?: string;
  dry_run?: boolean;
}

/** The body of sendMcp. */
export interface SendMcpBody {
  jsonrpc?: string;
  id?: unknown;
  method?: string;
  params?: JsonObject;
  result?: unknown;
  error?: JsonObject;
}
