"""What bodies and answers hold. Generated from docs/openapi.json by clients/generate; do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class _Problem(TypedDict):
    type: str
    title: str
    status: int
    code: Literal["scope_required", "invalid_scope", "malformed_json", "unknown_field", "field_required", "field_type", "invalid_id", "invalid_type", "invalid_author", "invalid_turn_id", "invalid_call_id", "invalid_path", "unsafe_path", "invalid_ts", "invalid_mime", "invalid_data", "turn_mismatch", "context_mismatch", "no_active_turn", "turn_closed", "text_too_large", "data_too_large", "meta_too_large", "too_many_blocks", "turn_full", "replacement_too_long", "announce_too_large", "sources_too_many", "source_too_large", "sid_conflict", "id_conflict", "store_unavailable", "store_read_only", "store_full", "store_damaged", "store_in_use", "store_newer", "store_foreign", "invalid_config", "invalid_argument", "not_found", "method_not_allowed", "unsupported_type", "not_ready", "context_too_large", "invalid_request", "prefix_broken", "import_malformed", "answer_malformed", "answer_error", "answer_too_large", "turn_in_progress", "version_conflict", "unknown_call", "already_answered", "calls_waiting", "too_many_attachments", "attachments_too_large", "title_too_long", "body_too_large", "too_many_requests", "timed_out", "unauthenticated", "key_expired", "forbidden", "summarizer_failed", "no_progress", "invalid_label", "block_not_found", "label_taken", "ambiguous_label", "permission_denied", "consent_denied", "access_denied", "read_only", "wrong_schema", "schema_invalid", "schema_kind_change", "field_not_found", "index_out_of_range", "limit_exceeded", "no_match", "patch_conflict", "invalid_regex", "nothing_to_do", "unsupported_format", "history_trimmed", "param_owned", "param_rejected", "rule_invalid", "tool_schema_invalid", "budget_too_small", "build_failed", "search_too_costly", "search_unavailable", "internal"]
    detail: str


class Problem(_Problem, total=False):
    """A refusal; what it is about follows, such as the members below"""

    field: str
    actual: Any
    allowed: Any
    limit: int
    id: str
    waiting: List[str]
    reasons: List[Reason]


class Version(TypedDict):
    """The version of the conversation after the change"""

    version: int


class Reason(TypedDict):
    """Something that is wrong"""

    code: str
    detail: str


class _Health(TypedDict):
    status: Literal["ok", "degraded"]
    reasons: List[Reason]
    version: str
    store: str


class Health(_Health, total=False):
    """Whether the server is well"""

    index: str
    index_lag: int
    erasing: bool
    embedding: EmbeddingState


class EmbeddingState(TypedDict):
    """How far the embedder is"""

    model: str
    lag: int
    made: int
    per_minute: int


class Readiness(TypedDict):
    """The server should get requests"""

    status: Literal["ready"]


class Caller(TypedDict):
    """Who calls, and what that one may do; key is null on a server without keys"""

    role: Literal["reader", "writer", "admin"]
    tenant: str
    project: str
    user: Optional[str]
    agent: Optional[str]
    key: Optional[str]


class UserPage(TypedDict):
    """Users with conversations"""

    users: List[User]
    next_cursor: Optional[str]


class User(TypedDict):
    """A user with conversations"""

    user: str
    conversations: int
    last_activity_at: str


class ConversationPage(TypedDict):
    """Conversations of a user"""

    conversations: List[ConversationRow]
    next_cursor: Optional[str]


class ConversationRow(TypedDict):
    """A conversation in a list"""

    conversation_id: str
    title: Optional[str]
    agent: Optional[str]
    turns: int
    blocks: int
    last_activity_at: str
    version: int


class Conversation(TypedDict):
    """A conversation, with what it costs now"""

    conversation_id: str
    title: Optional[str]
    agent: Optional[str]
    turns: int
    blocks: int
    last_activity_at: str
    version: int
    open_turn: Optional[str]
    summaries: int
    tokens: int


class Erased(TypedDict):
    """What was erased, by kind; nothing of it is left"""

    erased: Dict[str, int]


class Erasing(TypedDict):
    """What was erased, by kind; it is finished in the background"""

    erased: Dict[str, int]
    pending: bool


class Block(TypedDict, total=False):
    """A block of a conversation; data is in base64, absent means empty"""

    id: str
    type: str
    kind: str
    author: str
    turn_id: str
    ts: Time
    mime: str
    path: str
    text: str
    data: str
    tool_call_id: str
    tool_id: str
    is_error: bool
    meta: Dict[str, Any]
    hidden: bool
    replacement_text: str


class _StoredBlock(TypedDict):
    type: str
    author: str
    turn_id: str
    mime: str


class StoredBlock(_StoredBlock, total=False):
    """A block as it is stored or shown; a summary has the members from summary_id on"""

    id: str
    ts: str
    path: str
    text: str
    data: str
    tool_call_id: str
    tool_id: str
    is_error: bool
    meta: Dict[str, Any]
    hidden: bool
    replacement_text: str
    seq: int
    persist: bool
    tokens: int
    views: List[BlockView]
    summary_id: str
    cut_seq: int
    from_seq: int
    main_text: str
    split_text: str
    created_at: str
    withdrawn: bool


class BlockView(TypedDict):
    """What views of some budget show in place of a block"""

    max_tokens: int
    reason: str
    replacement_text: str


class _TurnParent(TypedDict):
    conversation: str
    turn: str


class TurnParent(_TurnParent, total=False):
    """The call of another conversation that a turn works for"""

    tool_call_id: str


class _Attachment(TypedDict):
    name: str
    mime: str


class Attachment(_Attachment, total=False):
    """Something that comes with a prompt: text, or data in base64"""

    text: str
    data: str
    summary: str


class Adds(TypedDict, total=False):
    """What Contexture adds to requests; each is true unless it is false"""

    default_instructions: bool
    turn_headers: bool
    activity: bool
    empty_sources: bool


class TurnSettings(TypedDict, total=False):
    """What holds for a turn unless a call says otherwise"""

    max_tokens: int
    cache_point_min_rounds: int
    cache_point_offset_rounds: int
    cache_ttl_seconds: int
    limit: int
    days: int
    on_incomplete: Literal["exclude", "interrupt"]
    adds: Adds
    user_type: str
    bundle_id: str


class TurnBegun(TypedDict):
    """A turn that is open"""

    turn_id: str
    version: int
    blocks: List[StoredBlock]
    new_conversation: bool
    omitted_turns: int


class TurnPage(TypedDict):
    """Turns of a conversation"""

    turns: List[TurnRow]
    next_cursor: Optional[str]


class _TurnRow(TypedDict):
    turn_id: str
    status: Literal["open", "complete", "interrupted", "aborted", "incomplete"]
    agent: Optional[str]
    started_at: str
    ended_at: Optional[str]
    blocks: int


class TurnRow(_TurnRow, total=False):
    """A turn in a list; blocks is how many"""

    parent: TurnParent
    reason: str


class _TurnLog(TypedDict):
    turn_id: str
    status: Literal["open", "complete", "interrupted", "aborted", "incomplete"]
    agent: Optional[str]
    started_at: str
    ended_at: Optional[str]
    feedback: List[TurnFeedback]
    blocks: List[StoredBlock]


class TurnLog(_TurnLog, total=False):
    """A turn with its blocks"""

    parent: TurnParent
    reason: str
    settings: TurnSettings


class _TurnFeedback(TypedDict):
    origin: str
    text: str
    confidence: float


class TurnFeedback(_TurnFeedback, total=False):
    """What somebody thought of a turn"""

    reaction: str


class _TurnClosed(TypedDict):
    turn_id: str
    status: Literal["open", "complete", "interrupted", "aborted", "incomplete"]
    version: int


class TurnClosed(_TurnClosed, total=False):
    """A turn that is closed; cancelled lists calls that had no result"""

    cancelled: List[str]


class _Contributed(TypedDict):
    version: int
    seqs: List[Optional[int]]


class Contributed(_Contributed, total=False):
    """What was added; a seq is null for what is not persisted"""

    late: bool


class Source(TypedDict, total=False):
    """A source; what is not listed is kept"""

    sid: int
    url: str
    title: str
    text: str


class Sources(TypedDict):
    """The visible sources"""

    sources: List[Source]


class Ticket(TypedDict, total=False):
    """What a question to the user is about"""

    ticket_id: str
    title: str
    status: str


class _Hidden(TypedDict):
    status: Literal["ok", "not_found", "too_old", "not_allowed"]
    blocks_hidden: int
    tokens_hidden: int
    tail_tokens: int
    tail_limit: int


class Hidden(_Hidden, total=False):
    """What hiding came to"""

    reason: str


class Unhidden(TypedDict):
    """What showing again came to"""

    status: Literal["ok", "not_found", "too_old", "not_allowed"]
    blocks_unhidden: int


class _Rendered(TypedDict):
    cache_points: List[CachePoint]
    tokens: RenderTokens
    over_limit: bool
    counter: str
    ratio: float
    dropped: List[DroppedBlock]
    prefix_changed_at: Union[PrefixChange, None]
    compaction: Union[CompactionReport, None]
    previews: List[Preview]
    omitted_turns: int
    pruning: Pruning
    version: int


class Rendered(_Rendered, total=False):
    """What a model would get: blocks of a transcript, or messages of the native dialect"""

    blocks: List[RenderedBlock]
    messages: List[RenderedMessage]


class _RenderedBlock(TypedDict):
    type: str
    block_type: str


class RenderedBlock(_RenderedBlock, total=False):
    """A part of a transcript"""

    text: str
    data: str
    media_type: str
    tool_call_id: str
    provider_call_id: str
    tool: str
    arguments: Any
    is_error: bool
    content: List[Dict[str, Any]]
    provider: str
    model: str
    kind: str
    json: str
    cache: bool
    path: str
    turn_id: str
    seq: int


class RenderedMessage(TypedDict):
    """A message of the native dialect"""

    role: Literal["user", "assistant"]
    content: List[RenderedPart]


class _RenderedPart(TypedDict):
    type: Literal["text", "image", "document", "tool_call", "tool_result", "opaque"]


class RenderedPart(_RenderedPart, total=False):
    """A part of a message"""

    text: str
    data: str
    media_type: str
    tool_call_id: str
    provider_call_id: str
    tool: str
    arguments: Any
    is_error: bool
    content: List[RenderedPart]
    provider: str
    model: str
    kind: str
    json: str
    cache: bool


class _CachePoint(TypedDict):
    name: Literal["prev_turn", "pre_tail", "tail"]
    tokens: int


class CachePoint(_CachePoint, total=False):
    """Where a prompt cache may end; a place in blocks, or in messages"""

    index: int
    message: int
    part: int


class RenderTokens(TypedDict):
    """What a render costs"""

    system: int
    stable: int
    tail: int
    total: int
    limit: Optional[int]


class _DroppedBlock(TypedDict):
    reason: str


class DroppedBlock(_DroppedBlock, total=False):
    """A block that is not shown, and why"""

    seq: int
    path: str


class PrefixChange(TypedDict):
    """From where on a render differs from the one before"""

    index: int
    cause: str


class Preview(TypedDict, total=False):
    """A text that is shown shortened"""

    path: str
    tokens: int
    reason: str


class Pruning(TypedDict):
    """What an expired cache let go"""

    status: str
    replaced: int


class _CompactionReport(TypedDict):
    status: Literal["not_needed", "started", "completed", "skipped", "no_cut"]
    reason: str
    tokens_before: int
    tokens_after: int
    compacted_blocks: int
    summary_block_count: int
    covered_turn_ids: List[str]
    digest: CompactionDigest


class CompactionReport(_CompactionReport, total=False):
    """What came of a compaction"""

    summary_id: str
    cut_seq: int
    split_turn_id: str
    summary: str
    receipt: Receipt
    archiving: Archiving


class CompactionDigest(TypedDict, total=False):
    """What the compacted blocks held, the newest of each kind; without members if nothing was compacted"""

    artifacts: List[Dict[str, Any]]
    streamed_artifacts: List[Dict[str, Any]]
    written_files: List[Dict[str, Any]]
    patched_files: List[Dict[str, Any]]
    exec_outputs: List[Dict[str, Any]]
    memsearches: List[Dict[str, Any]]
    hidden_blocks: List[Dict[str, Any]]


class Archiving(TypedDict):
    """What happened to whole turns, where a strategy archives them"""

    strategy: str
    messages_before: int
    messages_after: int
    archived_turn_ids: List[str]
    left_out_turn_ids: List[str]
    warnings: List[str]


class _Receipt(TypedDict):
    tokens: Dict[str, KeptTokens]
    left_out: List[LeftOut]
    left_out_before: int
    writer: str
    paths_without_reader: bool


class Receipt(_Receipt, total=False):
    """What a summary kept and left out"""

    cost: SummaryCost
    pins: List[Pin]


class _SummaryCost(TypedDict):
    rewritten_tokens: int
    input_tokens: int
    saved_tokens_per_request: int


class SummaryCost(_SummaryCost, total=False):
    """What a summary costs in the provider's cache, in plain input tokens"""

    pays_after_requests: int


class KeptTokens(TypedDict):
    """Tokens of one kind of entries"""

    kept: int
    left_out: int


class LeftOut(TypedDict):
    """Something that a summary does not say"""

    path: str
    kind: str
    tokens: int


class _OutputSchema(TypedDict):
    schema: Dict[str, Any]


class OutputSchema(_OutputSchema, total=False):
    """The form that an answer has to have"""

    name: str


class ContextLimits(TypedDict, total=False):
    """Limits of a model, in tokens"""

    max_tokens: int
    memory_tokens: int
    history_tokens: int
    reserved_response_tokens: int


class ContextConfig(TypedDict, total=False):
    """How a request is made up"""

    max_tokens: int
    memory_tokens: int
    history_tokens: int
    reserved_response_tokens: int
    model_overrides: Dict[str, ContextLimits]
    include_descriptions: bool
    include_schemas: bool
    activity_entries_limit: int
    max_messages_cap: int
    memory_refresh: Literal["per_epoch", "every_build"]
    compression_strategy: CompressionStrategy


class _CompressionStrategy(TypedDict):
    kind: Literal["compaction", "truncate", "recursive_summarization"]


class CompressionStrategy(_CompressionStrategy, total=False):
    """What is done when the history is too long"""

    preset: Literal["balanced", "standard", "economical"]
    keep_recent: int
    chunk_size: int
    summarization_model: str
    prompt: str


class BuiltRequest(TypedDict):
    """The body to send to the provider, as it is, and what is in it"""

    request_id: str
    request: Dict[str, Any]
    metadata: RequestMetadata
    path: str
    headers: Dict[str, str]


class _RequestMetadata(TypedDict):
    tokens: RequestTokens
    limits: RequestLimits
    counts: RequestCounts
    compression: Compression
    epoch: Union[Epoch, None]
    block_labels: List[str]
    warnings: List[Finding]
    dropped: List[Omission]
    truncated: List[Omission]
    cache_marks: List[CacheMark]
    repairs: List[Repair]
    prefix: str


class RequestMetadata(_RequestMetadata, total=False):
    """What is in a request, and why"""

    rebased_by: str
    divergence: Divergence


class _RequestTokens(TypedDict):
    instructions: int
    core: int
    working: int
    activity: int
    rules: int
    tools: int
    summary: int
    history: int
    memory_update: int
    tail: int
    total: int


class RequestTokens(_RequestTokens, total=False):
    """Tokens by section, and what the provider will count"""

    estimate: TokenEstimate


class TokenEstimate(TypedDict):
    """What the provider will count"""

    tokens: int
    low: int
    high: int
    method: str
    samples: int


class RequestLimits(TypedDict):
    """The limits of a request, in tokens"""

    max_tokens: int
    memory_tokens: int
    history_tokens: int
    reserved_response_tokens: int
    history_budget: int


class RequestCounts(TypedDict):
    """How many there are"""

    messages: int
    turns: int
    tools: int
    omitted_turns: int


class Compression(TypedDict):
    """What was done to the history"""

    strategy: str
    applied: bool
    messages_before: int
    messages_after: int
    tokens_before: int
    tokens_after: int
    archived_turn_ids: List[str]
    summary_id: Optional[str]
    report: Union[CompactionReport, None]


class Epoch(TypedDict):
    """Since when memory is repeated as it was"""

    number: int
    cause: Optional[str]
    updated: List[str]
    no_longer_shown: List[str]


class Finding(TypedDict):
    """Something to know about a request"""

    code: str
    where: str
    message: str


class Omission(TypedDict):
    """Something that is left out or shortened"""

    kind: str
    id: str
    reason: str
    detail: str
    tokens: int


class CacheMark(TypedDict):
    """A mark of the provider's cache, by its place in the body"""

    point: str
    where: str


class Repair(TypedDict):
    """What was changed so that the provider accepts it"""

    code: str
    where: str
    reason: str


class _Divergence(TypedDict):
    previous: Any
    block: int
    tier: str
    kind: str
    path: str
    was: str
    now: str
    offset: int
    actor: str
    operation: str
    tokens_lost: int
    cost_lost: float
    thinking_lost: List[int]
    advice: str
    cost_unit: str


class Divergence(_Divergence, total=False):
    """Where a request differs from what the provider's cache holds"""

    at: str
    money_lost: float
    currency: str


class EpochStarted(TypedDict):
    """Whose epochs ended"""

    agents: List[str]
    version: int


class _ResultPart(TypedDict):
    type: Literal["text", "image", "document"]


class ResultPart(_ResultPart, total=False):
    """A part of what a tool gave"""

    text: str
    data: str
    media_type: str


class _Result(TypedDict):
    content: Content


class Result(_Result, total=False):
    """The result of a call, named by one of the three ids"""

    tool_call_id: str
    provider_call_id: str
    index: int
    is_error: bool
    turn_id: str


class _ToolCall(TypedDict):
    tool_call_id: str
    tool: str
    arguments: Any


class ToolCall(_ToolCall, total=False):
    """A call that the model wants"""

    provider_call_id: str


class Usage(TypedDict):
    """What an answer cost, in tokens"""

    total_input: int
    cache_read: int
    cache_write_5m: int
    cache_write_1h: int
    cache_write: int
    uncached: int
    output: int


class _Reply(TypedDict):
    version: int
    text: str
    calls: List[ToolCall]
    stop: Literal["end", "tool_use", "max_tokens", "context_limit", "refusal", "content_filter", "pause", "other", "cancelled"]
    usage: Union[Usage, None]
    outcome: Literal["calls", "answered", "paused", "truncated", "refused", "context_limit", "empty"]
    done: bool


class Reply(_Reply, total=False):
    """A recorded answer: what the model said, and what it means for the loop"""

    dropped: List[Omission]


class _ResultsRecorded(TypedDict):
    version: int


class ResultsRecorded(_ResultsRecorded, total=False):
    """What was added: for one result, or for each of several"""

    seqs: List[Optional[int]]
    late: bool
    results: List[Contributed]


class _StepAnswer(TypedDict):
    turn_id: str
    version: int


class StepAnswer(_StepAnswer, total=False):
    """What a step stored, and the next request"""

    turn: TurnBegun
    reply: Reply
    results: List[Contributed]
    status: Literal["open", "complete", "interrupted", "aborted", "incomplete"]
    cancelled: List[str]
    request_id: str
    request: Dict[str, Any]
    metadata: RequestMetadata
    path: str
    headers: Dict[str, str]
    request_problem: Problem


class RequestPage(TypedDict):
    """Records of requests"""

    requests: List[RequestRecord]
    next_cursor: Optional[str]


class _RequestRecord(TypedDict):
    request_id: str
    turn_id: Optional[str]
    ts: str
    provider: str
    format: str
    model: str
    system_tokens: int
    stable_tokens: int
    tail_tokens: int
    total_tokens: int
    sections: RequestTokens
    max_tokens: int
    base_tokens: int
    media_tokens: int
    estimated_tokens: int
    body_bytes: int
    aliases: Dict[str, str]
    scope: str
    settings: RequestSettings
    cache_settings: List[CacheSetting]
    repairs: List[RecordedRepair]
    prefix: str
    epoch: str
    blocks: int
    marks: List[str]


class RequestRecord(_RequestRecord, total=False):
    """The record of a request; request is the body again, diff what differs from the one before"""

    agent: str
    path: str
    proof: str
    rebased_by: str
    epoch_cause: str
    predicted: CacheUse
    rewritten: Rewritten
    spent: Spent
    cost_unit: str
    currency: str
    catalogue_revision: str
    token_ratio: float
    usage: Usage
    unexplained_tokens: int
    first_token: str
    divergence: Divergence
    erased: Dict[str, Any]
    request: Dict[str, Any]
    diff: RequestDifference


class RequestSettings(TypedDict):
    """What a request asked for, with the parameters that the provider got"""

    max_output_tokens: int
    stream: bool
    tool_choice: str
    intent: str
    system_life: str
    message_life: str


class _RecordedRepair(TypedDict):
    code: str
    where: str
    reason: str


class RecordedRepair(_RecordedRepair, total=False):
    """What was changed so that the provider accepts it; hash_before: of the block before that"""

    hash_before: str


class CacheSetting(TypedDict):
    """A parameter on which the provider's cache depends"""

    name: str
    tier: str
    value: str


class _CacheUse(TypedDict):
    read: int
    write: int
    uncached: int
    cost: float


class CacheUse(_CacheUse, total=False):
    """What a prompt cache is expected to do"""

    money: float


class _Rewritten(TypedDict):
    tokens: int
    kept: int
    inserted: int
    cost: float


class Rewritten(_Rewritten, total=False):
    """What is written to the cache again"""

    money: float


class _Spent(TypedDict):
    cost: float


class Spent(_Spent, total=False):
    """What a request cost by the usage that the provider reported"""

    input_money: float
    output_money: float
    money: float


class _RequestDifference(TypedDict):
    prefix: str
    shared_blocks: int
    shared_tokens: int
    removed: List[LedgerBlock]
    added: List[LedgerBlock]


class RequestDifference(_RequestDifference, total=False):
    """What differs from the request before"""

    previous: str
    divergence: Divergence


class LedgerBlock(TypedDict):
    """A block of a request"""

    hash: str
    tier: str
    kind: str
    role: str
    tokens: int
    path: Optional[str]
    seq: Optional[int]
    actor: Optional[str]


class UsageSum(TypedDict):
    """What the recorded requests cost together"""

    requests: int
    answered: int
    since: Optional[str]
    input_tokens: int
    cache_read: int
    cache_write: int
    uncached: int
    output_tokens: int
    cost: float
    cost_unit: str
    money: Optional[float]
    currency: Optional[str]


class _RequestReasons(TypedDict):
    request_id: str
    recorded: bool
    parts: List[RequestPart]


class RequestReasons(_RequestReasons, total=False):
    """Why each part of a request is there; without limits and what follows if that was not recorded"""

    limits: RequestLimits
    memory: List[str]
    dropped: List[Omission]
    truncated: List[Omission]


class _RequestPart(TypedDict):
    index: int
    tier: str
    kind: str
    role: str
    tokens: int
    path: str
    seq: int
    actor: str
    reason: str
    detail: str
    excerpt: str


class RequestPart(_RequestPart, total=False):
    """A part of a request, and why it is there"""

    mark: bool


class PathReason(TypedDict):
    """Whether a request shows something, and why or why not; part is the index of the part that holds it"""

    request_id: str
    path: str
    status: Literal["sent", "shortened", "summarized", "not_sent", "unknown"]
    reason: str
    detail: str
    advice: str
    tokens: int
    part: Optional[int]
    summary: Union[StandIn, None]


class StandIn(TypedDict, total=False):
    """The summary that stands for something"""

    summary_id: str
    path: str
    cut_seq: int
    entry: Union[SummaryEntry, None]


class Simulation(TypedDict):
    """What a prompt cache makes of the newest requests, oldest first, and with another choice"""

    choices: str
    request_ids: List[str]
    actual: Union[CacheReport, None]
    what_if: Union[CacheReport, None]


class FileReport(TypedDict):
    """What became of a file of another program"""

    conversations: List[ImportedChat]
    memory: List[ImportedMemory]


class _ImportedChat(TypedDict):
    conversation_id: str
    format: Literal["openai", "openai_responses", "anthropic", "gemini", "langchain", "langchain4j", "vercel_ai", "chatgpt", "claude", "claude_code", "letta", "mcp_memory", "sharegpt", "auto"]
    turns: int
    known_turns: int
    blocks: int
    instructions: List[str]
    repairs: List[Repair]


class ImportedChat(_ImportedChat, total=False):
    """A conversation of a file"""

    title: str
    agent: str


class ImportedMemory(TypedDict):
    """A memory block of a file; not stored: it was there"""

    agent: str
    label: str
    format: Literal["openai", "openai_responses", "anthropic", "gemini", "langchain", "langchain4j", "vercel_ai", "chatgpt", "claude", "claude_code", "letta", "mcp_memory", "sharegpt", "auto"]
    stored: bool


class ArchiveReport(TypedDict):
    """What an archive held"""

    format: Literal["archive"]
    conversations: int
    turns: int
    blocks: int
    entries: int
    unchanged: int


class Imported(TypedDict):
    """A foreign history that was taken in"""

    turns: int
    blocks: int
    instructions: List[str]
    repairs: List[Repair]


class Validation(TypedDict):
    """The rules that a body breaks"""

    valid: bool
    violations: List[Violation]


class Violation(TypedDict):
    """A rule that a body breaks; where is a JSON Pointer"""

    code: str
    where: str
    message: str
    warning: bool


class CacheReport(TypedDict):
    """What a prompt cache makes of requests"""

    cost_unit: str
    requests: List[SimulatedRequest]
    total: CacheTotal


class SimulatedRequest(TypedDict):
    """What a prompt cache makes of one request"""

    read: int
    write: int
    uncached: int
    cost: float
    rewritten: int
    misses: List[CacheMiss]


class CacheMiss(TypedDict):
    """Where the cache was lost"""

    cause: str
    block: int
    tokens_lost: int
    cost_lost: float
    detail: str


class CacheTotal(TypedDict):
    """What it makes of all of them"""

    read: int
    write: int
    uncached: int
    cost: float
    cost_no_cache: float
    cost_ideal: float
    efficiency: float
    rewritten: int
    rewrite_cost: float
    money: Union[CacheMoney, None]


class CacheMoney(TypedDict):
    """The same in money"""

    currency: str
    cost: float
    cost_no_cache: float
    cost_ideal: float
    rewrite_cost: float


class ModelCatalogue(TypedDict):
    """The catalogue of models"""

    revision: str
    currency: str
    price_unit_tokens: int
    models: List[Model]
    sources: Dict[str, FactSource]


class Choices(TypedDict):
    """The names that fields of requests may have"""

    block_type: List[str]
    permission: List[str]
    search_mode: List[str]
    search_content_type: List[str]
    policy: List[str]


class _Model(TypedDict):
    provider: str
    model: str
    apis: List[Literal["anthropic", "openai_chat", "openai_responses", "gemini"]]
    compat: bool
    context_window: int
    max_output: int
    prices: Optional[List[ModelPrice]]
    tokenizer: str
    cache: ModelCache
    flags: List[str]
    sources: Dict[str, List[str]]


class Model(_Model, total=False):
    """A model"""

    max_input: int


class ModelCache(TypedDict):
    """How the provider caches prompts of the model; read and write as shares of the price of input"""

    mode: str
    min_tokens: int
    max_marks: int
    ttl: List[str]
    read: float
    write: float


class _ModelPrice(TypedDict):
    input: float
    output: float


# The price of a model, from a day to a day
ModelPrice = TypedDict(
    "ModelPrice",
    {
        "input": "float",
        "output": "float",
        "cache_read": "float",
        "cache_write": "float",
        "from": "str",
        "to": "str",
        "tiers": "List[PriceTier]",
    },
    total=False,
)


class PriceTier(TypedDict):
    """The price of a longer request"""

    above_input_tokens: int
    input: float
    output: float


class _FactSource(TypedDict):
    title: str


class FactSource(_FactSource, total=False):
    """Where a fact is from"""

    url: str


class TimelinePage(TypedDict):
    """What is stored or visible"""

    version: int
    blocks: List[StoredBlock]


class TurnContext(TypedDict):
    """What a turn may work with"""

    version: int
    summary: Union[StoredBlock, None]
    history_blocks: List[StoredBlock]
    current_turn_blocks: List[StoredBlock]
    omitted_turns: int


class _Artifact(TypedDict):
    path: str
    mime: str
    kind: str
    ts: Optional[str]
    meta: Dict[str, Any]
    versions: int


class Artifact(_Artifact, total=False):
    """What a path names"""

    text: str
    data: str


class SummaryPage(TypedDict):
    """Summaries"""

    summaries: List[SummaryRow]
    next_cursor: Optional[str]


class SummaryRow(TypedDict):
    """A summary without what it says"""

    summary_id: str
    cut_seq: int
    from_seq: int
    turn_id: str
    path: str
    covered_turn_ids: List[str]
    digest: Any
    created_at: str
    withdrawn: bool


class Summary(TypedDict):
    """A summary with its text, its entries and what it left out"""

    summary_id: str
    cut_seq: int
    from_seq: int
    turn_id: str
    path: str
    covered_turn_ids: List[str]
    digest: Any
    created_at: str
    withdrawn: bool
    text: str
    entries: List[SummaryEntry]
    receipt: Union[Receipt, None]


class _SummaryEntry(TypedDict):
    kind: str
    turn: str
    text: str
    tokens: int


class SummaryEntry(_SummaryEntry, total=False):
    """Something that a summary says"""

    seq: int
    path: str


class Pins(TypedDict):
    """What is pinned"""

    pins: List[Pin]
    tokens: int


class Pin(TypedDict):
    """A path that is pinned"""

    path: str
    tokens: int
    pinned_at: str


class Unpinned(TypedDict):
    """Whether it was pinned"""

    removed: bool


class ToolBlocks(TypedDict):
    """What a tool contributed to the turn"""

    blocks: List[StoredBlock]


class _Rule(TypedDict):
    type: Literal["exit_loop", "continue_loop", "start_constraint", "max_calls", "requires_prior", "allowed_operations"]
    tool: str


class Rule(_Rule, total=False):
    """A rule for calls of tools"""

    n: int
    prior: str
    operations: List[str]


class _RuleCall(TypedDict):
    tool: str


class RuleCall(_RuleCall, total=False):
    """A call to judge"""

    arguments: Dict[str, Any]


class _RuleDecision(TypedDict):
    decision: Literal["allowed", "violated"]
    next: Literal["exit", "continue", "model_decides"]


class RuleDecision(_RuleDecision, total=False):
    """Whether a call is allowed, and what comes next"""

    violation: RuleViolation


class _RuleViolation(TypedDict):
    type: str
    message: str


class RuleViolation(_RuleViolation, total=False):
    """The rule that a call breaks"""

    tool: str


class AgentPage(TypedDict):
    """Agents"""

    agents: List[Agent]
    next_cursor: Optional[str]


class Agent(TypedDict):
    """An agent"""

    agent: str
    name: str
    description: str
    created_at: str
    partner: Optional[str]


class _MemoryBlockMade(TypedDict):
    id: str
    label: str
    version: int


class MemoryBlockMade(_MemoryBlockMade, total=False):
    """A memory block that was made"""

    user: str


class MemoryBlocks(TypedDict):
    """Memory blocks"""

    blocks: List[MemoryBlockInfo]


class _MemoryBlockInfo(TypedDict):
    id: str
    owner: str
    label: str
    description: str
    block_type: Literal["core", "working", "archival", "log"]
    schema: Dict[str, Any]
    char_limit: int
    permission: Literal["read_only", "partner", "human", "append", "read_write", "admin"]
    pinned: bool
    created_at: str
    updated_at: str
    version: int
    size: int


class MemoryBlockInfo(_MemoryBlockInfo, total=False):
    """A memory block without its content"""

    user: str


class _MemoryBlock(TypedDict):
    id: str
    owner: str
    label: str
    description: str
    block_type: Literal["core", "working", "archival", "log"]
    schema: Dict[str, Any]
    char_limit: int
    permission: Literal["read_only", "partner", "human", "append", "read_write", "admin"]
    pinned: bool
    created_at: str
    updated_at: str
    version: int
    size: int
    rendered: str
    value: Any


class MemoryBlock(_MemoryBlock, total=False):
    """A memory block with its content"""

    user: str


class _Op(TypedDict):
    op: str


class Op(_Op, total=False):
    """An operation on a memory block; what it needs follows"""

    section: str


class MemoryEdited(TypedDict):
    """What the operations gave"""

    results: List[OpResult]
    version: int


class OpResult(TypedDict, total=False):
    """What one operation gave: nothing, whether a text was replaced, the value of a counter, or that it was not applied, and why"""

    applied: bool
    reason: str
    replaced: bool
    value: Any


class MemoryUndone(TypedDict):
    """What an undo or a redo came to"""

    done: bool
    undo_depth: int
    redo_depth: int
    version: int


class MemoryVersions(TypedDict):
    """Versions of a memory block"""

    versions: List[MemoryVersion]


class _MemoryVersion(TypedDict):
    version: int
    ts: str
    actor: str
    operation: str
    message: str
    size: int


class MemoryVersion(_MemoryVersion, total=False):
    """A version of a memory block"""

    granted_by: str
    granted_at: str


class Share(TypedDict):
    """With whom a block is shared"""

    agent: str
    permission: Literal["read_only", "partner", "human", "append", "read_write", "admin"]


class ShareList(TypedDict):
    """With whom a block is shared"""

    shares: List[Share]


class SharedBlocks(TypedDict):
    """Blocks that are shared with an agent"""

    blocks: List[SharedBlock]


class _SharedBlock(TypedDict):
    id: str
    owner: str
    owner_name: str
    label: str
    description: str
    block_type: Literal["core", "working", "archival", "log"]
    permission: Literal["read_only", "partner", "human", "append", "read_write", "admin"]
    pinned: bool


class SharedBlock(_SharedBlock, total=False):
    """A block that is shared with an agent"""

    user: str


class ArchivalId(TypedDict):
    """The id of an archival entry"""

    id: str


class ArchivalPage(TypedDict):
    """Archival entries"""

    entries: List[ArchivalRow]
    next_cursor: Optional[str]


class _ArchivalRow(TypedDict):
    id: str
    agent: str
    excerpt: str
    content_chars: int
    ts: str


class ArchivalRow(_ArchivalRow, total=False):
    """An archival entry in a list"""

    user: str
    content: str
    metadata: Any


class _ArchivalEntry(TypedDict):
    id: str
    agent: str
    content: str
    content_chars: int
    ts: str


class ArchivalEntry(_ArchivalEntry, total=False):
    """An archival entry"""

    user: str
    metadata: Any


class AgentUsers(TypedDict):
    """Users who have memory of their own at an agent"""

    users: List[str]


class MemoryMoved(TypedDict):
    """What was given to somebody else"""

    blocks: List[MemoryBlockInfo]
    entries: List[ArchivalRow]
    dry_run: bool


class BlockTemplate(TypedDict):
    """The block that each user gets"""

    label: str
    description: str
    block_type: Literal["core", "working", "archival", "log"]
    schema: Dict[str, Any]


class Consents(TypedDict):
    """What waits for approval"""

    consents: List[Consent]


class _Consent(TypedDict):
    id: str
    actor: str
    kind: str
    owner: str
    label: str
    operation: str
    preview: str
    preview_omitted: int
    version: int
    asked_at: str
    expires_at: str


class Consent(_Consent, total=False):
    """A write that waits for approval"""

    user: str


class ConsentAnswer(TypedDict):
    """What was decided"""

    id: str
    decision: Literal["grant", "deny"]


class AgentPrompt(TypedDict):
    """What a request would tell the agent now"""

    system: List[str]


class ToolList(TypedDict):
    """Tools, as a request takes them"""

    tools: List[ToolDefinition]


class ToolDefinition(TypedDict):
    """A tool"""

    name: str
    description: str
    input_schema: Dict[str, Any]


class ToolOutcome(TypedDict):
    """What a tool gave"""

    success: bool


class SearchAnswer(TypedDict):
    """What was found, the best first"""

    mode_used: str
    notes: List[SearchNote]
    hits: List[Hit]


class SearchNote(TypedDict):
    """Why an answer is less than what was asked for"""

    code: str
    detail: str
    count: int


class _Hit(TypedDict):
    id: str
    type: str
    excerpt: str
    content_chars: int
    score: float
    why: HitReason


class Hit(_Hit, total=False):
    """Something that was found"""

    agent: str
    user: str
    conversation: str
    role: str
    path: str
    label: str
    content: str
    ts: str


class _HitReason(TypedDict):
    words: List[str]


class HitReason(_HitReason, total=False):
    """Why it was found, and ranks where it does"""

    bm25: float
    keyword_rank: int
    cosine: float
    vector_rank: int
    shares: HitShares
    typos: Dict[str, Any]


class HitShares(TypedDict):
    """What words and meaning give to a score"""

    words: float
    meaning: float
    weight: float


class IndexState(TypedDict):
    """The search index"""

    entries: int
    lag: int


class AuditEntries(TypedDict):
    """Entries of the audit log"""

    entries: List[AuditEntry]


class AuditEntry(TypedDict, total=False):
    """A call that is for administrators or erases, a key that changed, or what outlived the rules; damaged: no entry any more"""

    ts: str
    action: str
    request: str
    by: str
    key: str
    key_name: str
    address: str
    tenant: str
    project: str
    target: Dict[str, Any]
    status: int
    outcome: str
    code: str
    damaged: bool


class RetentionReport(TypedDict):
    """What outlived the rules; at most 1,000 conversations are named, all are counted"""

    rules: str
    dry_run: bool
    counts: RetentionCounts
    conversations: List[OutlivedConversation]
    pending: bool


class RetentionCounts(TypedDict):
    """How many there are of each kind"""

    conversations: int
    requests: int
    events: int


class OutlivedConversation(TypedDict):
    """A conversation that outlived the rules"""

    tenant: str
    project: str
    user: str
    conversation: str
    last_activity_at: str


class _ConversationEvent(TypedDict):
    type: Literal["block", "turn", "visibility", "announce", "sources", "compaction", "compacting", "title", "feedback", "erase", "request"]


class ConversationEvent(_ConversationEvent, total=False):
    """The data of an event of a conversation; what belongs to its type follows. request and compacting have no version"""

    version: int
    turn_id: str
    seq: int
    block: StoredBlock
    request_id: str


class _ProjectChange(TypedDict):
    user: str
    conversation: str
    version: int
    note: Any


class ProjectChange(_ProjectChange, total=False):
    """The data of an event of the project, change"""

    first_seq: int
    last_seq: int


class _MemoryChange(TypedDict):
    type: Literal["created", "changed", "undone", "redone", "configured", "shared", "unshared", "deleted"]
    id: str
    owner: str
    label: str
    version: int
    actor: str
    operation: str
    message: str
    ts: str


class MemoryChange(_MemoryChange, total=False):
    """The data of an event of the memory of an agent"""

    user: str


class RenameConversationBody(TypedDict):
    """The body of renameConversation"""

    title: str


class StartTurnBody(TypedDict, total=False):
    """The body of startTurn"""

    prompt: str
    turn_id: str
    agent: str
    parent: TurnParent
    attachments: List[Attachment]
    ts: Time
    supersede: Literal["interrupt", "abort"]
    settings: TurnSettings


class FinishTurnBody(TypedDict, total=False):
    """The body of finishTurn"""

    completion: str
    sources_used: List[int]
    suggested_followups: List[str]
    state: Any
    exit_reason: str
    ts: Time


class InterruptTurnBody(TypedDict):
    """The body of interruptTurn"""

    reason: str


class AbortTurnBody(TypedDict):
    """The body of abortTurn"""

    reason: str


class _AddBlocksBody(TypedDict):
    blocks: List[Block]


class AddBlocksBody(_AddBlocksBody, total=False):
    """The body of addBlocks"""

    persist: bool
    expected_version: int


class SetAnnouncementBody(TypedDict):
    """The body of setAnnouncement"""

    blocks: List[Block]


class SetSourcesBody(TypedDict):
    """The body of setSources"""

    sources: List[Source]


class MergeSourcesBody(TypedDict):
    """The body of mergeSources"""

    sources: List[Source]


class _HidePathBody(TypedDict):
    path: str


class HidePathBody(_HidePathBody, total=False):
    """The body of hidePath"""

    replacement: str


class UnhidePathBody(TypedDict):
    """The body of unhidePath"""

    path: str


class _AddFeedbackBody(TypedDict):
    target_turn_id: str
    origin: str


class AddFeedbackBody(_AddFeedbackBody, total=False):
    """The body of addFeedback"""

    reaction: str
    text: str
    confidence: float


class _AskClarificationBody(TypedDict):
    questions: List[str]


class AskClarificationBody(_AskClarificationBody, total=False):
    """The body of askClarification"""

    ticket: Ticket


class ResolveClarificationBody(TypedDict):
    """The body of resolveClarification"""

    ticket: Ticket
    resolved_with_answer: str


class _ValidateRequestBody(TypedDict):
    provider: Literal["anthropic", "openai_chat", "openai_responses", "gemini"]
    model: str
    request: Dict[str, Any]


class ValidateRequestBody(_ValidateRequestBody, total=False):
    """The body of validateRequest"""

    api_version: str
    compat: bool


class _SimulateCacheBody(TypedDict):
    provider: Literal["anthropic", "openai_chat", "openai_responses", "gemini"]
    model: str
    requests: List[Dict[str, Any]]


class SimulateCacheBody(_SimulateCacheBody, total=False):
    """The body of simulateCache"""

    gaps_seconds: List[float]


class _ImportHistoryBody(TypedDict):
    format: Literal["openai", "openai_responses", "anthropic", "gemini", "langchain", "langchain4j", "vercel_ai", "chatgpt", "claude", "claude_code", "letta", "mcp_memory", "sharegpt", "auto"]
    messages: Any


class ImportHistoryBody(_ImportHistoryBody, total=False):
    """The body of importHistory"""

    system: Any
    import_id: str
    model: str
    agent: str
    ts: Time


class RenderConversationBody(TypedDict, total=False):
    """The body of renderConversation"""

    max_tokens: int
    system_text: str
    policy: Literal["balanced", "standard", "economical"]
    force_sanitize: bool
    read_only: bool
    keep_recent_turns: int
    include_sources: bool
    include_announce: bool
    cache_last: bool
    exclude_contributions: List[str]
    include_only_contributions: List[str]
    dialect: Literal["transcript", "native"]
    cache_point_min_rounds: int
    cache_point_offset_rounds: int
    cache_ttl_seconds: int
    limit: int
    days: int
    text_only: bool
    strict_budget: bool
    tokenizer: Literal["o200k_base", "cl100k_base", "chars4"]
    adds: Adds


class _BuildRequestBody(TypedDict):
    provider: Literal["anthropic", "openai_chat", "openai_responses", "gemini"]
    model: str


class BuildRequestBody(_BuildRequestBody, total=False):
    """The body of buildRequest"""

    agent: str
    base_instructions: str
    tools: List[Dict[str, Any]]
    tool_rules: List[Rule]
    batch_blocks: List[str]
    max_output_tokens: int
    include_sources: bool
    include_announce: bool
    limit: int
    days: int
    adds: Adds
    config: ContextConfig
    tool_choice: Any
    thinking: Any
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
    output_schema: OutputSchema
    params: Dict[str, Any]
    api_version: str
    stream: bool
    compat: bool
    waiting: Literal["cancel", "omit"]
    force_compaction: bool


class StartEpochBody(TypedDict, total=False):
    """The body of startEpoch"""

    agent: str


class _RecordResponseBody(TypedDict):
    provider: Literal["anthropic", "openai_chat", "openai_responses", "gemini"]
    model: str
    response: Dict[str, Any]


class RecordResponseBody(_RecordResponseBody, total=False):
    """The body of recordResponse"""

    request_id: str
    partial: bool


class RecordResultsBody(TypedDict, total=False):
    """The body of recordResults"""

    tool_call_id: str
    content: Content
    is_error: bool
    turn_id: str
    results: List[Result]


class StepBody(TypedDict, total=False):
    """The body of step"""

    step_id: str
    turn: StartTurnBody
    response: RecordResponseBody
    results: List[Result]
    finish: FinishTurnBody
    request: BuildRequestBody


class _PinPathBody(TypedDict):
    path: str


class PinPathBody(_PinPathBody, total=False):
    """The body of pinPath"""

    max_tokens: int


class CompactConversationBody(TypedDict, total=False):
    """The body of compactConversation"""

    max_tokens: int
    force: bool
    system_text: str
    policy: Literal["balanced", "standard", "economical"]
    keep_recent_turns: int
    tokenizer: Literal["o200k_base", "cl100k_base", "chars4"]
    dry_run: bool


class RunToolBody(TypedDict, total=False):
    """The body of runTool"""

    tool_call_id: str
    params: Dict[str, Any]


class CheckRulesBody(TypedDict):
    """The body of checkRules"""

    tool_rules: List[Rule]
    call: RuleCall


class PutAgentBody(TypedDict, total=False):
    """The body of putAgent"""

    name: str
    description: str
    partner: Optional[str]


class _AddArchivalEntryBody(TypedDict):
    content: str


class AddArchivalEntryBody(_AddArchivalEntryBody, total=False):
    """The body of addArchivalEntry"""

    metadata: Any
    user: str


class MoveMemoryBody(TypedDict, total=False):
    """The body of moveMemory"""

    user: str
    to: Optional[str]
    labels: List[str]
    entries: List[str]
    dry_run: bool


class _SetTemplateBody(TypedDict):
    label: str


class SetTemplateBody(_SetTemplateBody, total=False):
    """The body of setTemplate"""

    description: str
    block_type: Literal["core", "working", "archival", "log"]
    schema: Dict[str, Any]


class _AnswerConsentBody(TypedDict):
    decision: Literal["grant", "deny"]


class AnswerConsentBody(_AnswerConsentBody, total=False):
    """The body of answerConsent"""

    reason: str


class _RestoreMemoryBlockBody(TypedDict):
    id: str


class RestoreMemoryBlockBody(_RestoreMemoryBlockBody, total=False):
    """The body of restoreMemoryBlock"""

    user: str


class _CreateMemoryBlockBody(TypedDict):
    label: str
    block_type: Literal["core", "working", "archival", "log"]


class CreateMemoryBlockBody(_CreateMemoryBlockBody, total=False):
    """The body of createMemoryBlock"""

    description: str
    schema: Dict[str, Any]
    permission: Literal["read_only", "partner", "human", "append", "read_write", "admin"]
    pinned: bool
    char_limit: int
    content: Any
    user: str


class ChangeMemoryBlockBody(TypedDict, total=False):
    """The body of changeMemoryBlock"""

    pinned: bool
    block_type: Literal["core", "working", "archival", "log"]
    schema: Dict[str, Any]
    description: str
    permission: Literal["read_only", "partner", "human", "append", "read_write", "admin"]
    char_limit: int
    user: str


class _EditMemoryBlockBody(TypedDict):
    ops: List[Op]


class EditMemoryBlockBody(_EditMemoryBlockBody, total=False):
    """The body of editMemoryBlock"""

    owner: str
    base_version: int
    message: str
    user: str


class UndoMemoryBlockBody(TypedDict, total=False):
    """The body of undoMemoryBlock"""

    author: str
    user: str


class RedoMemoryBlockBody(TypedDict, total=False):
    """The body of redoMemoryBlock"""

    author: str
    user: str


class _ShareMemoryBlockBody(TypedDict):
    agent: str
    permission: Literal["read_only", "partner", "human", "append", "read_write", "admin"]


class ShareMemoryBlockBody(_ShareMemoryBlockBody, total=False):
    """The body of shareMemoryBlock"""

    user: str


class RunMemoryToolBody(TypedDict, total=False):
    """The body of runMemoryTool"""

    params: Dict[str, Any]
    user: str


class _ImportFileBody(TypedDict):
    file: str


class ImportFileBody(_ImportFileBody, total=False):
    """The body of importFile"""

    name: str
    format: Literal["openai", "openai_responses", "anthropic", "gemini", "langchain", "langchain4j", "vercel_ai", "chatgpt", "claude", "claude_code", "letta", "mcp_memory", "sharegpt", "auto"]
    conversation: str
    agent: str
    model: str
    ts: Time
    dry_run: bool


class ImportArchiveBody(TypedDict):
    """The body of importArchive"""

    file: str


class _SearchAgentBody(TypedDict):
    query: str


# The body of searchAgent
SearchAgentBody = TypedDict(
    "SearchAgentBody",
    {
        "query": "str",
        "mode": "Literal[\"fts\", \"vector\", \"hybrid\", \"rrf\", \"auto\"]",
        "content_types": "List[Literal[\"messages\", \"blocks\", \"archival\"]]",
        "limit": "int",
        "from": "Time",
        "to": "Time",
        "roles": "List[str]",
        "user": "str",
        "conversation": "str",
        "raw": "bool",
        "metadata": "Dict[str, Any]",
        "min_similarity": "float",
        "content": "Literal[\"excerpt\", \"full\"]",
    },
    total=False,
)


class _SearchUserBody(TypedDict):
    query: str


# The body of searchUser
SearchUserBody = TypedDict(
    "SearchUserBody",
    {
        "query": "str",
        "mode": "Literal[\"fts\", \"vector\", \"hybrid\", \"rrf\", \"auto\"]",
        "content_types": "List[Literal[\"messages\", \"blocks\", \"archival\"]]",
        "limit": "int",
        "from": "Time",
        "to": "Time",
        "roles": "List[str]",
        "user": "str",
        "conversation": "str",
        "raw": "bool",
        "metadata": "Dict[str, Any]",
        "min_similarity": "float",
        "content": "Literal[\"excerpt\", \"full\"]",
    },
    total=False,
)


class _SearchProjectBody(TypedDict):
    query: str


# The body of searchProject
SearchProjectBody = TypedDict(
    "SearchProjectBody",
    {
        "query": "str",
        "mode": "Literal[\"fts\", \"vector\", \"hybrid\", \"rrf\", \"auto\"]",
        "content_types": "List[Literal[\"messages\", \"blocks\", \"archival\"]]",
        "limit": "int",
        "from": "Time",
        "to": "Time",
        "roles": "List[str]",
        "user": "str",
        "conversation": "str",
        "raw": "bool",
        "metadata": "Dict[str, Any]",
        "min_similarity": "float",
        "content": "Literal[\"excerpt\", \"full\"]",
    },
    total=False,
)


class RetainBody(TypedDict, total=False):
    """The body of retain"""

    rules: str
    dry_run: bool


class SendMcpBody(TypedDict, total=False):
    """The body of sendMcp"""

    jsonrpc: str
    id: Any
    method: str
    params: Dict[str, Any]
    result: Any
    error: Dict[str, Any]


# A time: ISO 8601, or seconds since 1970
Time = Union[str, float]
# What a tool gave: a text, parts, or any object
Content = Union[str, List["ResultPart"], Dict[str, Any]]
