// One method for each operation. Generated from docs/openapi.json by clients/generate; do not edit.

import type { JsonObject } from "./json.js";
import { Sender, type CallOptions, type ServerEvent } from "./transport.js";
import type {
  Version,
  Health,
  Readiness,
  Caller,
  UserPage,
  ConversationPage,
  Conversation,
  Erased,
  Erasing,
  TurnBegun,
  TurnPage,
  TurnLog,
  TurnClosed,
  Contributed,
  Sources,
  Hidden,
  Unhidden,
  Rendered,
  CompactionReport,
  BuiltRequest,
  EpochStarted,
  Reply,
  ResultsRecorded,
  StepAnswer,
  RequestPage,
  RequestRecord,
  UsageSum,
  RequestReasons,
  PathReason,
  Simulation,
  FileReport,
  ArchiveReport,
  Imported,
  Validation,
  CacheReport,
  ModelCatalogue,
  Choices,
  TimelinePage,
  TurnContext,
  Artifact,
  SummaryPage,
  Summary,
  Pins,
  Pin,
  Unpinned,
  ToolBlocks,
  RuleDecision,
  AgentPage,
  Agent,
  MemoryBlockMade,
  MemoryBlocks,
  MemoryBlockInfo,
  MemoryBlock,
  MemoryEdited,
  MemoryUndone,
  MemoryVersions,
  Share,
  ShareList,
  SharedBlocks,
  ArchivalId,
  ArchivalPage,
  ArchivalEntry,
  AgentUsers,
  MemoryMoved,
  BlockTemplate,
  Consents,
  ConsentAnswer,
  AgentPrompt,
  ToolList,
  ToolOutcome,
  SearchAnswer,
  IndexState,
  AuditEntries,
  RetentionReport,
  RenameConversationBody,
  StartTurnBody,
  FinishTurnBody,
  InterruptTurnBody,
  AbortTurnBody,
  AddBlocksBody,
  SetAnnouncementBody,
  SetSourcesBody,
  MergeSourcesBody,
  HidePathBody,
  UnhidePathBody,
  AddFeedbackBody,
  AskClarificationBody,
  ResolveClarificationBody,
  ValidateRequestBody,
  SimulateCacheBody,
  ImportHistoryBody,
  RenderConversationBody,
  BuildRequestBody,
  StartEpochBody,
  RecordResponseBody,
  RecordResultsBody,
  StepBody,
  PinPathBody,
  CompactConversationBody,
  RunToolBody,
  CheckRulesBody,
  PutAgentBody,
  AddArchivalEntryBody,
  MoveMemoryBody,
  SetTemplateBody,
  AnswerConsentBody,
  RestoreMemoryBlockBody,
  CreateMemoryBlockBody,
  ChangeMemoryBlockBody,
  EditMemoryBlockBody,
  UndoMemoryBlockBody,
  RedoMemoryBlockBody,
  ShareMemoryBlockBody,
  RunMemoryToolBody,
  ImportFileBody,
  ImportArchiveBody,
  SearchAgentBody,
  SearchUserBody,
  SearchProjectBody,
  RetainBody,
} from "./types.js";

/** What is asked of the server, or of the project as a whole. */
export class ProjectOperations extends Sender {

  /** Whether the server is well. */
  getHealth(options: CallOptions = {}): Promise<Health> {
    return this.call(
      {"id": "getHealth", "method": "GET", "path": "/healthz", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** Whether the server should get requests. */
  getReadiness(options: CallOptions = {}): Promise<Readiness> {
    return this.call(
      {"id": "getReadiness", "method": "GET", "path": "/readyz", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** Numbers for Prometheus. */
  getMetrics(options: CallOptions = {}): Promise<string> {
    return this.call(
      {"id": "getMetrics", "method": "GET", "path": "/metrics", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** Users with conversations, newest activity first. */
  listUsers(options: CallOptions & { cursor?: string; limit?: number } = {}): Promise<UserPage> {
    return this.call(
      {"id": "listUsers", "method": "GET", "path": "/v1/users", "repeat": {"safe": true}},
      {},
      { cursor: options.cursor, limit: options.limit },
      {},
      undefined,
      options,
    );
  }

  /** Who calls, and what that one may do. */
  getCaller(options: CallOptions = {}): Promise<Caller> {
    return this.call(
      {"id": "getCaller", "method": "GET", "path": "/v1/caller", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** A user's conversations, newest activity first. */
  listConversations(user: string, options: CallOptions & { cursor?: string; limit?: number } = {}): Promise<ConversationPage> {
    return this.call(
      {"id": "listConversations", "method": "GET", "path": "/v1/users/{user}/conversations", "repeat": {"safe": true}},
      { user: user },
      { cursor: options.cursor, limit: options.limit },
      {},
      undefined,
      options,
    );
  }

  /** Judges a body by the rules of its provider. */
  validateRequest(body: ValidateRequestBody, options: CallOptions = {}): Promise<Validation> {
    return this.call(
      {"id": "validateRequest", "method": "POST", "path": "/v1/validate", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** What a prompt cache makes of requests. */
  simulateCache(body: SimulateCacheBody, options: CallOptions = {}): Promise<CacheReport> {
    return this.call(
      {"id": "simulateCache", "method": "POST", "path": "/v1/simulate", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** The catalogue of models. */
  listModels(options: CallOptions = {}): Promise<ModelCatalogue> {
    return this.call(
      {"id": "listModels", "method": "GET", "path": "/v1/models", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** The names that fields of requests may have. */
  listChoices(options: CallOptions = {}): Promise<Choices> {
    return this.call(
      {"id": "listChoices", "method": "GET", "path": "/v1/choices", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** A stream of what happens in all conversations. */
  followProject(options: CallOptions = {}): AsyncGenerator<ServerEvent> {
    return this.followed(
      {"id": "followProject", "method": "GET", "path": "/v1/events", "repeat": {"safe": true}},
      {},
      {},
      {},
      options,
    );
  }

  /** Agents by id. */
  listAgents(options: CallOptions & { cursor?: string; limit?: number } = {}): Promise<AgentPage> {
    return this.call(
      {"id": "listAgents", "method": "GET", "path": "/v1/agents", "repeat": {"safe": true}},
      {},
      { cursor: options.cursor, limit: options.limit },
      {},
      undefined,
      options,
    );
  }

  /** Erases a user with all conversations. */
  eraseUser(user: string, options: CallOptions = {}): Promise<Erased | Erasing> {
    return this.call(
      {"id": "eraseUser", "method": "DELETE", "path": "/v1/users/{user}", "repeat": {"safe": true}},
      { user: user },
      {},
      {},
      undefined,
      options,
    );
  }

  /** Erases the project; X-Confirm names it. */
  eraseProject(options: CallOptions & { confirm: string }): Promise<Erased | Erasing> {
    return this.call(
      {"id": "eraseProject", "method": "DELETE", "path": "/v1/project", "repeat": {"safe": true}},
      {},
      {},
      { "X-Confirm": options.confirm },
      undefined,
      options,
    );
  }

  /** A user with all conversations and memory as an archive, or as Markdown. */
  exportUser(user: string, options: CallOptions & { format?: "archive" | "markdown" } = {}): Promise<string> {
    return this.call(
      {"id": "exportUser", "method": "GET", "path": "/v1/users/{user}/export", "repeat": {"safe": true}},
      { user: user },
      { format: options.format },
      {},
      undefined,
      options,
    );
  }

  /** Takes in a file of another program, or an archive of the user. */
  importFile(user: string, body: ImportFileBody, options: CallOptions = {}): Promise<FileReport | FileReport | ArchiveReport> {
    return this.call(
      {"id": "importFile", "method": "POST", "path": "/v1/users/{user}/import", "repeat": {"safe": true}},
      { user: user },
      {},
      {},
      body,
      options,
    );
  }

  /** Finds messages of a user, by an address that can be sent on. */
  findForUser(user: string, options: CallOptions & { content_types?: string; conversation?: string; from?: string; limit?: number; mode?: "fts" | "vector" | "hybrid" | "rrf" | "auto"; query?: string; roles?: string; to?: string } = {}): Promise<SearchAnswer> {
    return this.call(
      {"id": "findForUser", "method": "GET", "path": "/v1/users/{user}/search", "repeat": {"safe": true}},
      { user: user },
      { content_types: options.content_types, conversation: options.conversation, from: options.from, limit: options.limit, mode: options.mode, query: options.query, roles: options.roles, to: options.to },
      {},
      undefined,
      options,
    );
  }

  /** Finds messages of a user. */
  searchUser(user: string, body: SearchUserBody, options: CallOptions = {}): Promise<SearchAnswer> {
    return this.call(
      {"id": "searchUser", "method": "POST", "path": "/v1/users/{user}/search", "repeat": {"safe": true}},
      { user: user },
      {},
      {},
      body,
      options,
    );
  }

  /** Finds everything of the project, by an address that can be sent on. */
  findForProject(options: CallOptions & { content_types?: string; conversation?: string; from?: string; limit?: number; mode?: "fts" | "vector" | "hybrid" | "rrf" | "auto"; query?: string; roles?: string; to?: string; user?: string } = {}): Promise<SearchAnswer> {
    return this.call(
      {"id": "findForProject", "method": "GET", "path": "/v1/search", "repeat": {"safe": true}},
      {},
      { content_types: options.content_types, conversation: options.conversation, from: options.from, limit: options.limit, mode: options.mode, query: options.query, roles: options.roles, to: options.to, user: options.user },
      {},
      undefined,
      options,
    );
  }

  /** Finds everything of the project. */
  searchProject(body: SearchProjectBody, options: CallOptions = {}): Promise<SearchAnswer> {
    return this.call(
      {"id": "searchProject", "method": "POST", "path": "/v1/search", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Builds the search index of the project anew. */
  reindex(options: CallOptions = {}): Promise<IndexState> {
    return this.call(
      {"id": "reindex", "method": "POST", "path": "/v1/reindex", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** Who called what is for administrators, or erases, newest first. */
  listAudit(options: CallOptions & { from?: string; limit?: number; to?: string } = {}): Promise<AuditEntries> {
    return this.call(
      {"id": "listAudit", "method": "GET", "path": "/v1/audit", "repeat": {"safe": true}},
      {},
      { from: options.from, limit: options.limit, to: options.to },
      {},
      undefined,
      options,
    );
  }

  /** Erases what outlived the rules, or tells what would be erased. */
  retain(body?: RetainBody, options: CallOptions = {}): Promise<RetentionReport> {
    return this.call(
      {"id": "retain", "method": "POST", "path": "/v1/retention", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** This list for machines. */
  getOpenApi(options: CallOptions = {}): Promise<JsonObject> {
    return this.call(
      {"id": "getOpenApi", "method": "GET", "path": "/openapi.json", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }
}

/** What is asked of one conversation. */
export class ConversationOperations extends Sender {

  /** One conversation. */
  getConversation(options: CallOptions = {}): Promise<Conversation> {
    return this.call(
      {"id": "getConversation", "method": "GET", "path": "", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** Changes the title. */
  renameConversation(body: RenameConversationBody, options: CallOptions = {}): Promise<Conversation> {
    return this.call(
      {"id": "renameConversation", "method": "PATCH", "path": "", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Erases the conversation with everything in it. */
  eraseConversation(options: CallOptions = {}): Promise<undefined | Erasing> {
    return this.call(
      {"id": "eraseConversation", "method": "DELETE", "path": "", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** Starts a turn, or goes on with an open one. */
  startTurn(body?: StartTurnBody, options: CallOptions = {}): Promise<TurnBegun> {
    return this.call(
      {"id": "startTurn", "method": "POST", "path": "/turns", "repeat": {"safe": true, "id": "turn_id", "made": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Turns, oldest first. */
  listTurns(options: CallOptions & { cursor?: string; limit?: number } = {}): Promise<TurnPage> {
    return this.call(
      {"id": "listTurns", "method": "GET", "path": "/turns", "repeat": {"safe": true}},
      {},
      { cursor: options.cursor, limit: options.limit },
      {},
      undefined,
      options,
    );
  }

  /** The log of a turn. */
  getTurn(turn: string, options: CallOptions = {}): Promise<TurnLog> {
    return this.call(
      {"id": "getTurn", "method": "GET", "path": "/turns/{turn}", "repeat": {"safe": true}},
      { turn: turn },
      {},
      {},
      undefined,
      options,
    );
  }

  /** Erases a closed turn. */
  eraseTurn(turn: string, options: CallOptions = {}): Promise<undefined | Erasing> {
    return this.call(
      {"id": "eraseTurn", "method": "DELETE", "path": "/turns/{turn}", "repeat": {"safe": true}},
      { turn: turn },
      {},
      {},
      undefined,
      options,
    );
  }

  /** Completes a turn. */
  finishTurn(turn: string, body?: FinishTurnBody, options: CallOptions = {}): Promise<TurnClosed> {
    return this.call(
      {"id": "finishTurn", "method": "POST", "path": "/turns/{turn}/finish", "repeat": {"safe": true}},
      { turn: turn },
      {},
      {},
      body,
      options,
    );
  }

  /** Ends a turn that stays in context. */
  interruptTurn(turn: string, body: InterruptTurnBody, options: CallOptions = {}): Promise<TurnClosed> {
    return this.call(
      {"id": "interruptTurn", "method": "POST", "path": "/turns/{turn}/interrupt", "repeat": {"safe": true}},
      { turn: turn },
      {},
      {},
      body,
      options,
    );
  }

  /** Ends a turn that leaves the context. */
  abortTurn(turn: string, body: AbortTurnBody, options: CallOptions = {}): Promise<TurnClosed> {
    return this.call(
      {"id": "abortTurn", "method": "POST", "path": "/turns/{turn}/abort", "repeat": {"safe": true}},
      { turn: turn },
      {},
      {},
      body,
      options,
    );
  }

  /** Contributes blocks to the open turn. */
  addBlocks(body: AddBlocksBody, options: CallOptions = {}): Promise<Contributed> {
    return this.call(
      {"id": "addBlocks", "method": "POST", "path": "/blocks", "repeat": {"safe": true, "id": "blocks[].id", "made": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Replaces what stands at the end of renders. */
  setAnnouncement(body: SetAnnouncementBody, options: CallOptions = {}): Promise<Version> {
    return this.call(
      {"id": "setAnnouncement", "method": "PUT", "path": "/announce", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Removes it. */
  clearAnnouncement(options: CallOptions = {}): Promise<Version> {
    return this.call(
      {"id": "clearAnnouncement", "method": "DELETE", "path": "/announce", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** The sources pool. */
  getSources(options: CallOptions = {}): Promise<Sources> {
    return this.call(
      {"id": "getSources", "method": "GET", "path": "/sources", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** Replaces the visible sources. */
  setSources(body: SetSourcesBody, options: CallOptions = {}): Promise<Sources> {
    return this.call(
      {"id": "setSources", "method": "PUT", "path": "/sources", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Merges sources, which keep their sids. */
  mergeSources(body: MergeSourcesBody, options: CallOptions = {}): Promise<Sources> {
    return this.call(
      {"id": "mergeSources", "method": "POST", "path": "/sources", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Hides blocks of a path from renders. */
  hidePath(body: HidePathBody, options: CallOptions = {}): Promise<Hidden> {
    return this.call(
      {"id": "hidePath", "method": "POST", "path": "/hide", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Shows them again. */
  unhidePath(body: UnhidePathBody, options: CallOptions = {}): Promise<Unhidden> {
    return this.call(
      {"id": "unhidePath", "method": "POST", "path": "/unhide", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Records a reaction to a turn. */
  addFeedback(body: AddFeedbackBody, options: CallOptions = {}): Promise<Version> {
    return this.call(
      {"id": "addFeedback", "method": "POST", "path": "/feedback", "repeat": {"safe": false}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Asks the user something. */
  askClarification(body: AskClarificationBody, options: CallOptions = {}): Promise<Version> {
    return this.call(
      {"id": "askClarification", "method": "POST", "path": "/clarification", "repeat": {"safe": false}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Records what the user answered. */
  resolveClarification(body: ResolveClarificationBody, options: CallOptions = {}): Promise<Version> {
    return this.call(
      {"id": "resolveClarification", "method": "POST", "path": "/clarification_resolution", "repeat": {"safe": false}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Takes a foreign history in. */
  importHistory(body: ImportHistoryBody, options: CallOptions = {}): Promise<Imported> {
    return this.call(
      {"id": "importHistory", "method": "POST", "path": "/import", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** What a model would get. */
  renderConversation(body?: RenderConversationBody, options: CallOptions = {}): Promise<Rendered> {
    return this.call(
      {"id": "renderConversation", "method": "POST", "path": "/render", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** The exact body to send to a provider. */
  buildRequest(body: BuildRequestBody, options: CallOptions = {}): Promise<BuiltRequest> {
    return this.call(
      {"id": "buildRequest", "method": "POST", "path": "/request", "repeat": {"safe": false}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Shows memory anew in the next request. */
  startEpoch(body?: StartEpochBody, options: CallOptions = {}): Promise<EpochStarted> {
    return this.call(
      {"id": "startEpoch", "method": "POST", "path": "/epoch", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Records a provider's answer, or its stream as it comes. */
  recordResponse(body: RecordResponseBody, options: CallOptions = {}): Promise<Reply> {
    return this.call(
      {"id": "recordResponse", "method": "POST", "path": "/responses", "repeat": {"safe": true, "id": "request_id", "made": false}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Answers one call of a tool, or several. */
  recordResults(body?: RecordResultsBody, options: CallOptions = {}): Promise<ResultsRecorded> {
    return this.call(
      {"id": "recordResults", "method": "POST", "path": "/results", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Stores what happened in one commit, and builds the next request. */
  step(body?: StepBody, options: CallOptions = {}): Promise<StepAnswer> {
    return this.call(
      {"id": "step", "method": "POST", "path": "/step", "repeat": {"safe": true, "id": "step_id", "made": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** The ledger: requests, newest first. */
  listRequests(options: CallOptions & { cursor?: string; limit?: number } = {}): Promise<RequestPage> {
    return this.call(
      {"id": "listRequests", "method": "GET", "path": "/requests", "repeat": {"safe": true}},
      {},
      { cursor: options.cursor, limit: options.limit },
      {},
      undefined,
      options,
    );
  }

  /** One request with its body, or what differs from the one before. */
  getRequest(request: string, options: CallOptions & { diff?: "previous" } = {}): Promise<RequestRecord> {
    return this.call(
      {"id": "getRequest", "method": "GET", "path": "/requests/{request}", "repeat": {"safe": true}},
      { request: request },
      { diff: options.diff },
      {},
      undefined,
      options,
    );
  }

  /** Why each part of a request is there; of a path, why it is there or why not. */
  explainRequest(request: string, options: CallOptions & { path?: string } = {}): Promise<RequestReasons | PathReason> {
    return this.call(
      {"id": "explainRequest", "method": "GET", "path": "/requests/{request}/why", "repeat": {"safe": true}},
      { request: request },
      { path: options.path },
      {},
      undefined,
      options,
    );
  }

  /** What a prompt cache makes of the newest requests, and with what_if of another choice. */
  simulateConversation(options: CallOptions & { limit?: number; what_if?: string } = {}): Promise<Simulation> {
    return this.call(
      {"id": "simulateConversation", "method": "GET", "path": "/simulation", "repeat": {"safe": true}},
      {},
      { limit: options.limit, what_if: options.what_if },
      {},
      undefined,
      options,
    );
  }

  /** What the recorded requests cost together. */
  getUsage(options: CallOptions = {}): Promise<UsageSum> {
    return this.call(
      {"id": "getUsage", "method": "GET", "path": "/usage", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** What is stored, or what is visible. */
  getTimeline(options: CallOptions & { from_seq?: number; limit?: number; tokens?: boolean; visible?: boolean } = {}): Promise<TimelinePage> {
    return this.call(
      {"id": "getTimeline", "method": "GET", "path": "/timeline", "repeat": {"safe": true}},
      {},
      { from_seq: options.from_seq, limit: options.limit, tokens: options.tokens, visible: options.visible },
      {},
      undefined,
      options,
    );
  }

  /** What a turn may work with: history and its own blocks. */
  getContext(options: CallOptions & { days?: number; limit?: number } = {}): Promise<TurnContext> {
    return this.call(
      {"id": "getContext", "method": "GET", "path": "/context", "repeat": {"safe": true}},
      {},
      { days: options.days, limit: options.limit },
      {},
      undefined,
      options,
    );
  }

  /** What a path names. */
  getArtifact(options: CallOptions & { path?: string } = {}): Promise<Artifact> {
    return this.call(
      {"id": "getArtifact", "method": "GET", "path": "/artifact", "repeat": {"safe": true}},
      {},
      { path: options.path },
      {},
      undefined,
      options,
    );
  }

  /** Summaries with their digests, newest first. */
  listSummaries(options: CallOptions & { cursor?: string; limit?: number } = {}): Promise<SummaryPage> {
    return this.call(
      {"id": "listSummaries", "method": "GET", "path": "/summaries", "repeat": {"safe": true}},
      {},
      { cursor: options.cursor, limit: options.limit },
      {},
      undefined,
      options,
    );
  }

  /** One summary with its text, entries and receipt. */
  getSummary(summary: string, options: CallOptions = {}): Promise<Summary> {
    return this.call(
      {"id": "getSummary", "method": "GET", "path": "/summaries/{summary}", "repeat": {"safe": true}},
      { summary: summary },
      {},
      {},
      undefined,
      options,
    );
  }

  /** Takes the newest summary back. */
  withdrawSummary(summary: string, options: CallOptions = {}): Promise<Version> {
    return this.call(
      {"id": "withdrawSummary", "method": "POST", "path": "/summaries/{summary}/withdraw", "repeat": {"safe": true}},
      { summary: summary },
      {},
      {},
      undefined,
      options,
    );
  }

  /** What is pinned, with its tokens. */
  listPins(options: CallOptions = {}): Promise<Pins> {
    return this.call(
      {"id": "listPins", "method": "GET", "path": "/pins", "repeat": {"safe": true}},
      {},
      {},
      {},
      undefined,
      options,
    );
  }

  /** Keeps the text of a path in context, whatever is compacted. */
  pinPath(body: PinPathBody, options: CallOptions = {}): Promise<Pin> {
    return this.call(
      {"id": "pinPath", "method": "POST", "path": "/pins", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Lets a path go. */
  unpinPath(options: CallOptions & { path?: string } = {}): Promise<Unpinned> {
    return this.call(
      {"id": "unpinPath", "method": "DELETE", "path": "/pins", "repeat": {"safe": true}},
      {},
      { path: options.path },
      {},
      undefined,
      options,
    );
  }

  /** Compacts without rendering. */
  compactConversation(body?: CompactConversationBody, options: CallOptions = {}): Promise<CompactionReport> {
    return this.call(
      {"id": "compactConversation", "method": "POST", "path": "/compact", "repeat": {"safe": false}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** Runs a built-in tool in the open turn. */
  runTool(tool: string, body?: RunToolBody, options: CallOptions = {}): Promise<ToolBlocks> {
    return this.call(
      {"id": "runTool", "method": "POST", "path": "/tools/{tool}", "repeat": {"safe": true, "id": "tool_call_id", "made": false}},
      { tool: tool },
      {},
      {},
      body,
      options,
    );
  }

  /** Judges a call by tool rules. */
  checkRules(body: CheckRulesBody, options: CallOptions = {}): Promise<RuleDecision> {
    return this.call(
      {"id": "checkRules", "method": "POST", "path": "/rules/check", "repeat": {"safe": true}},
      {},
      {},
      {},
      body,
      options,
    );
  }

  /** A stream of events (server-sent events). */
  followConversation(options: CallOptions & { after?: number } = {}): AsyncGenerator<ServerEvent> {
    return this.followed(
      {"id": "followConversation", "method": "GET", "path": "/events", "repeat": {"safe": true}},
      {},
      { after: options.after },
      {},
      options,
    );
  }

  /** The conversation as an archive, or as Markdown. */
  exportConversation(options: CallOptions & { format?: "archive" | "markdown" } = {}): Promise<string> {
    return this.call(
      {"id": "exportConversation", "method": "GET", "path": "/export", "repeat": {"safe": true}},
      {},
      { format: options.format },
      {},
      undefined,
      options,
    );
  }
}

/** What is asked of one agent and its memory. */
export class AgentOperations extends Sender {

  /** Names and describes an agent. */
  putAgent(body?: PutAgentBody, options: CallOptions & { actor?: string } = {}): Promise<Agent> {
    return this.call(
      {"id": "putAgent", "method": "PUT", "path": "", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** One agent. */
  getAgent(options: CallOptions & { actor?: string } = {}): Promise<Agent> {
    return this.call(
      {"id": "getAgent", "method": "GET", "path": "", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Erases the agent with its blocks, entries, shares and activity. */
  eraseAgent(options: CallOptions & { actor?: string } = {}): Promise<Erased | Erasing> {
    return this.call(
      {"id": "eraseAgent", "method": "DELETE", "path": "", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Keeps something for good. */
  addArchivalEntry(body: AddArchivalEntryBody, options: CallOptions & { actor?: string } = {}): Promise<ArchivalId> {
    return this.call(
      {"id": "addArchivalEntry", "method": "POST", "path": "/archival", "repeat": {"safe": false}},
      {},
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Archival entries, oldest first. */
  listArchivalEntries(options: CallOptions & { content?: "excerpt" | "full"; cursor?: string; limit?: number; metadata?: string; user?: string; actor?: string } = {}): Promise<ArchivalPage> {
    return this.call(
      {"id": "listArchivalEntries", "method": "GET", "path": "/archival", "repeat": {"safe": true}},
      {},
      { content: options.content, cursor: options.cursor, limit: options.limit, metadata: options.metadata, user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** One archival entry. */
  getArchivalEntry(id: string, options: CallOptions & { user?: string; actor?: string } = {}): Promise<ArchivalEntry> {
    return this.call(
      {"id": "getArchivalEntry", "method": "GET", "path": "/archival/{id}", "repeat": {"safe": true}},
      { id: id },
      { user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Erases an archival entry. */
  eraseArchivalEntry(id: string, options: CallOptions & { user?: string; actor?: string } = {}): Promise<undefined | Erasing> {
    return this.call(
      {"id": "eraseArchivalEntry", "method": "DELETE", "path": "/archival/{id}", "repeat": {"safe": true}},
      { id: id },
      { user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Users who have memory of their own at the agent. */
  listAgentUsers(options: CallOptions & { actor?: string } = {}): Promise<AgentUsers> {
    return this.call(
      {"id": "listAgentUsers", "method": "GET", "path": "/users", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Gives blocks and entries to a user, or back to the agent. */
  moveMemory(body?: MoveMemoryBody, options: CallOptions & { actor?: string } = {}): Promise<MemoryMoved> {
    return this.call(
      {"id": "moveMemory", "method": "POST", "path": "/move", "repeat": {"safe": false}},
      {},
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Sets the block that each user gets at the first turn. */
  setTemplate(body: SetTemplateBody, options: CallOptions & { actor?: string } = {}): Promise<BlockTemplate> {
    return this.call(
      {"id": "setTemplate", "method": "PUT", "path": "/template", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** The block that each user gets. */
  getTemplate(options: CallOptions & { actor?: string } = {}): Promise<BlockTemplate> {
    return this.call(
      {"id": "getTemplate", "method": "GET", "path": "/template", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** No block for new users. */
  deleteTemplate(options: CallOptions & { actor?: string } = {}): Promise<undefined> {
    return this.call(
      {"id": "deleteTemplate", "method": "DELETE", "path": "/template", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** What waits for approval. */
  listConsents(options: CallOptions & { actor?: string } = {}): Promise<Consents> {
    return this.call(
      {"id": "listConsents", "method": "GET", "path": "/consents", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Approves or denies it. */
  answerConsent(id: string, body: AnswerConsentBody, options: CallOptions & { actor?: string } = {}): Promise<ConsentAnswer> {
    return this.call(
      {"id": "answerConsent", "method": "POST", "path": "/consents/{id}", "repeat": {"safe": false}},
      { id: id },
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Brings a deleted block back. */
  restoreMemoryBlock(body: RestoreMemoryBlockBody, options: CallOptions & { actor?: string } = {}): Promise<MemoryBlockInfo> {
    return this.call(
      {"id": "restoreMemoryBlock", "method": "POST", "path": "/blocks/restore", "repeat": {"safe": false}},
      {},
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** What a request would tell the agent now. */
  getPrompt(options: CallOptions & { include_descriptions?: boolean; include_schemas?: boolean; user?: string; actor?: string } = {}): Promise<AgentPrompt> {
    return this.call(
      {"id": "getPrompt", "method": "GET", "path": "/prompt", "repeat": {"safe": true}},
      {},
      { include_descriptions: options.include_descriptions, include_schemas: options.include_schemas, user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Makes a memory block. */
  createMemoryBlock(body: CreateMemoryBlockBody, options: CallOptions & { actor?: string } = {}): Promise<MemoryBlockMade> {
    return this.call(
      {"id": "createMemoryBlock", "method": "POST", "path": "/blocks", "repeat": {"safe": false}},
      {},
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Memory blocks by label, or the deleted ones. */
  listMemoryBlocks(options: CallOptions & { deleted?: boolean; type?: "core" | "working" | "archival" | "log"; user?: string; actor?: string } = {}): Promise<MemoryBlocks> {
    return this.call(
      {"id": "listMemoryBlocks", "method": "GET", "path": "/blocks", "repeat": {"safe": true}},
      {},
      { deleted: options.deleted, type: options.type, user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** A memory block with its content. */
  getMemoryBlock(label: string, options: CallOptions & { at?: number; owner?: string; user?: string; actor?: string } = {}): Promise<MemoryBlock> {
    return this.call(
      {"id": "getMemoryBlock", "method": "GET", "path": "/blocks/{label}", "repeat": {"safe": true}},
      { label: label },
      { at: options.at, owner: options.owner, user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Changes the settings of a block. */
  changeMemoryBlock(label: string, body?: ChangeMemoryBlockBody, options: CallOptions & { actor?: string } = {}): Promise<MemoryBlockInfo> {
    return this.call(
      {"id": "changeMemoryBlock", "method": "PATCH", "path": "/blocks/{label}", "repeat": {"safe": true}},
      { label: label },
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Deletes a block; with purge=true erases it for good. */
  deleteMemoryBlock(label: string, options: CallOptions & { purge?: boolean; user?: string; actor?: string } = {}): Promise<undefined | Erased | Erasing> {
    return this.call(
      {"id": "deleteMemoryBlock", "method": "DELETE", "path": "/blocks/{label}", "repeat": {"safe": true}},
      { label: label },
      { purge: options.purge, user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Edits a block: all operations, or none. */
  editMemoryBlock(label: string, body: EditMemoryBlockBody, options: CallOptions & { actor?: string } = {}): Promise<MemoryEdited> {
    return this.call(
      {"id": "editMemoryBlock", "method": "POST", "path": "/blocks/{label}/ops", "repeat": {"safe": false}},
      { label: label },
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Takes the last edit back. */
  undoMemoryBlock(label: string, body?: UndoMemoryBlockBody, options: CallOptions & { actor?: string } = {}): Promise<MemoryUndone> {
    return this.call(
      {"id": "undoMemoryBlock", "method": "POST", "path": "/blocks/{label}/undo", "repeat": {"safe": false}},
      { label: label },
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Does it again. */
  redoMemoryBlock(label: string, body?: RedoMemoryBlockBody, options: CallOptions & { actor?: string } = {}): Promise<MemoryUndone> {
    return this.call(
      {"id": "redoMemoryBlock", "method": "POST", "path": "/blocks/{label}/redo", "repeat": {"safe": false}},
      { label: label },
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Versions, oldest first. */
  listMemoryVersions(label: string, options: CallOptions & { after?: number; limit?: number; user?: string; actor?: string } = {}): Promise<MemoryVersions> {
    return this.call(
      {"id": "listMemoryVersions", "method": "GET", "path": "/blocks/{label}/history", "repeat": {"safe": true}},
      { label: label },
      { after: options.after, limit: options.limit, user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** With whom an own block is shared, by agent. */
  listShares(label: string, options: CallOptions & { user?: string; actor?: string } = {}): Promise<ShareList> {
    return this.call(
      {"id": "listShares", "method": "GET", "path": "/blocks/{label}/shares", "repeat": {"safe": true}},
      { label: label },
      { user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Shares a block with another agent. */
  shareMemoryBlock(label: string, body: ShareMemoryBlockBody, options: CallOptions & { actor?: string } = {}): Promise<Share> {
    return this.call(
      {"id": "shareMemoryBlock", "method": "POST", "path": "/blocks/{label}/shares", "repeat": {"safe": true}},
      { label: label },
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Ends a share. */
  unshareMemoryBlock(label: string, with_: string, options: CallOptions & { user?: string; actor?: string } = {}): Promise<undefined> {
    return this.call(
      {"id": "unshareMemoryBlock", "method": "DELETE", "path": "/blocks/{label}/shares/{with}", "repeat": {"safe": true}},
      { label: label, with: with_ },
      { user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Blocks that are shared with the agent. */
  listSharedBlocks(options: CallOptions & { user?: string; actor?: string } = {}): Promise<SharedBlocks> {
    return this.call(
      {"id": "listSharedBlocks", "method": "GET", "path": "/shared", "repeat": {"safe": true}},
      {},
      { user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** The built-in tools. */
  listTools(options: CallOptions & { actor?: string } = {}): Promise<ToolList> {
    return this.call(
      {"id": "listTools", "method": "GET", "path": "/tools", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Runs a tool of the agent's memory. */
  runMemoryTool(tool: string, body?: RunMemoryToolBody, options: CallOptions & { actor?: string } = {}): Promise<ToolOutcome> {
    return this.call(
      {"id": "runMemoryTool", "method": "POST", "path": "/tools/{tool}", "repeat": {"safe": false}},
      { tool: tool },
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** A stream of changes of memory (server-sent events). */
  followMemory(options: CallOptions & { after?: number; user?: string; actor?: string } = {}): AsyncGenerator<ServerEvent> {
    return this.followed(
      {"id": "followMemory", "method": "GET", "path": "/events", "repeat": {"safe": true}},
      {},
      { after: options.after, user: options.user },
      { "X-Actor": options.actor },
      options,
    );
  }

  /** What an agent remembers as an archive, or as Markdown. */
  exportAgent(options: CallOptions & { format?: "archive" | "markdown"; actor?: string } = {}): Promise<string> {
    return this.call(
      {"id": "exportAgent", "method": "GET", "path": "/export", "repeat": {"safe": true}},
      {},
      { format: options.format },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Takes in an archive of the agent. */
  importArchive(body: ImportArchiveBody, options: CallOptions & { actor?: string } = {}): Promise<ArchiveReport> {
    return this.call(
      {"id": "importArchive", "method": "POST", "path": "/import", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }

  /** Finds what an agent knows, by an address that can be sent on. */
  findForAgent(options: CallOptions & { content_types?: string; conversation?: string; from?: string; limit?: number; mode?: "fts" | "vector" | "hybrid" | "rrf" | "auto"; query?: string; roles?: string; to?: string; user?: string; actor?: string } = {}): Promise<SearchAnswer> {
    return this.call(
      {"id": "findForAgent", "method": "GET", "path": "/search", "repeat": {"safe": true}},
      {},
      { content_types: options.content_types, conversation: options.conversation, from: options.from, limit: options.limit, mode: options.mode, query: options.query, roles: options.roles, to: options.to, user: options.user },
      { "X-Actor": options.actor },
      undefined,
      options,
    );
  }

  /** Finds what an agent knows. */
  searchAgent(body: SearchAgentBody, options: CallOptions & { actor?: string } = {}): Promise<SearchAnswer> {
    return this.call(
      {"id": "searchAgent", "method": "POST", "path": "/search", "repeat": {"safe": true}},
      {},
      {},
      { "X-Actor": options.actor },
      body,
      options,
    );
  }
}
