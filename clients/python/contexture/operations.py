"""One method for each operation. Generated from docs/openapi.json by clients/generate; do not edit."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Literal, Optional, Union

from .transport import Event, Operation, Sender
from .types import *  # noqa: F401,F403


class ProjectOperations(Sender):
    """What is asked of the server, or of the project as a whole."""

    def get_health(self) -> Health:
        """Whether the server is well."""
        return self._call(
            Operation('getHealth', 'GET', True),
            '/healthz',
            {},
            {},
            {},
            None,
        )

    def get_readiness(self) -> Readiness:
        """Whether the server should get requests."""
        return self._call(
            Operation('getReadiness', 'GET', True),
            '/readyz',
            {},
            {},
            {},
            None,
        )

    def get_metrics(self) -> str:
        """Numbers for Prometheus."""
        return self._call(
            Operation('getMetrics', 'GET', True),
            '/metrics',
            {},
            {},
            {},
            None,
        )

    def list_users(self, *, cursor: Optional[str] = None, limit: Optional[int] = None) -> UserPage:
        """Users with conversations, newest activity first."""
        return self._call(
            Operation('listUsers', 'GET', True),
            '/v1/users',
            {},
            {'cursor': cursor, 'limit': limit},
            {},
            None,
        )

    def get_caller(self) -> Caller:
        """Who calls, and what that one may do."""
        return self._call(
            Operation('getCaller', 'GET', True),
            '/v1/caller',
            {},
            {},
            {},
            None,
        )

    def list_conversations(
        self,
        user: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> ConversationPage:
        """A user's conversations, newest activity first."""
        return self._call(
            Operation('listConversations', 'GET', True),
            '/v1/users/{user}/conversations',
            {'user': user},
            {'cursor': cursor, 'limit': limit},
            {},
            None,
        )

    def validate_request(self, body: ValidateRequestBody) -> Validation:
        """Judges a body by the rules of its provider."""
        return self._call(
            Operation('validateRequest', 'POST', True),
            '/v1/validate',
            {},
            {},
            {},
            body,
        )

    def simulate_cache(self, body: SimulateCacheBody) -> CacheReport:
        """What a prompt cache makes of requests."""
        return self._call(
            Operation('simulateCache', 'POST', True),
            '/v1/simulate',
            {},
            {},
            {},
            body,
        )

    def list_models(self) -> ModelCatalogue:
        """The catalogue of models."""
        return self._call(
            Operation('listModels', 'GET', True),
            '/v1/models',
            {},
            {},
            {},
            None,
        )

    def list_choices(self) -> Choices:
        """The names that fields of requests may have."""
        return self._call(
            Operation('listChoices', 'GET', True),
            '/v1/choices',
            {},
            {},
            {},
            None,
        )

    def follow_project(self) -> Iterator[Event]:
        """A stream of what happens in all conversations."""
        return self._follow(
            Operation('followProject', 'GET', True),
            '/v1/events',
            {},
            {},
            {},
        )

    def list_agents(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> AgentPage:
        """Agents by id."""
        return self._call(
            Operation('listAgents', 'GET', True),
            '/v1/agents',
            {},
            {'cursor': cursor, 'limit': limit},
            {},
            None,
        )

    def erase_user(self, user: str) -> Union[Erased, Erasing]:
        """Erases a user with all conversations."""
        return self._call(
            Operation('eraseUser', 'DELETE', True),
            '/v1/users/{user}',
            {'user': user},
            {},
            {},
            None,
        )

    def erase_project(self, *, confirm: str) -> Union[Erased, Erasing]:
        """Erases the project; X-Confirm names it."""
        return self._call(
            Operation('eraseProject', 'DELETE', True),
            '/v1/project',
            {},
            {},
            {'X-Confirm': confirm},
            None,
        )

    def export_user(
        self,
        user: str,
        *,
        format: Optional[Literal["archive", "markdown"]] = None,
    ) -> str:
        """A user with all conversations and memory as an archive, or as Markdown."""
        return self._call(
            Operation('exportUser', 'GET', True),
            '/v1/users/{user}/export',
            {'user': user},
            {'format': format},
            {},
            None,
        )

    def import_file(
        self,
        user: str,
        body: ImportFileBody,
    ) -> Union[FileReport, Union[FileReport, ArchiveReport]]:
        """Takes in a file of another program, or an archive of the user."""
        return self._call(
            Operation('importFile', 'POST', True),
            '/v1/users/{user}/import',
            {'user': user},
            {},
            {},
            body,
        )

    def find_for_user(
        self,
        user: str,
        *,
        content_types: Optional[str] = None,
        conversation: Optional[str] = None,
        from_: Optional[str] = None,
        limit: Optional[int] = None,
        mode: Optional[Literal["fts", "vector", "hybrid", "rrf", "auto"]] = None,
        query: Optional[str] = None,
        roles: Optional[str] = None,
        to: Optional[str] = None,
    ) -> SearchAnswer:
        """Finds messages of a user, by an address that can be sent on."""
        return self._call(
            Operation('findForUser', 'GET', True),
            '/v1/users/{user}/search',
            {'user': user},
            {'content_types': content_types, 'conversation': conversation, 'from': from_, 'limit': limit, 'mode': mode, 'query': query, 'roles': roles, 'to': to},
            {},
            None,
        )

    def search_user(self, user: str, body: SearchUserBody) -> SearchAnswer:
        """Finds messages of a user."""
        return self._call(
            Operation('searchUser', 'POST', True),
            '/v1/users/{user}/search',
            {'user': user},
            {},
            {},
            body,
        )

    def find_for_project(
        self,
        *,
        content_types: Optional[str] = None,
        conversation: Optional[str] = None,
        from_: Optional[str] = None,
        limit: Optional[int] = None,
        mode: Optional[Literal["fts", "vector", "hybrid", "rrf", "auto"]] = None,
        query: Optional[str] = None,
        roles: Optional[str] = None,
        to: Optional[str] = None,
        user: Optional[str] = None,
    ) -> SearchAnswer:
        """Finds everything of the project, by an address that can be sent on."""
        return self._call(
            Operation('findForProject', 'GET', True),
            '/v1/search',
            {},
            {'content_types': content_types, 'conversation': conversation, 'from': from_, 'limit': limit, 'mode': mode, 'query': query, 'roles': roles, 'to': to, 'user': user},
            {},
            None,
        )

    def search_project(self, body: SearchProjectBody) -> SearchAnswer:
        """Finds everything of the project."""
        return self._call(
            Operation('searchProject', 'POST', True),
            '/v1/search',
            {},
            {},
            {},
            body,
        )

    def reindex(self) -> IndexState:
        """Builds the search index of the project anew."""
        return self._call(
            Operation('reindex', 'POST', True),
            '/v1/reindex',
            {},
            {},
            {},
            None,
        )

    def list_audit(
        self,
        *,
        from_: Optional[str] = None,
        limit: Optional[int] = None,
        to: Optional[str] = None,
    ) -> AuditEntries:
        """Who called what is for administrators, or erases, newest first."""
        return self._call(
            Operation('listAudit', 'GET', True),
            '/v1/audit',
            {},
            {'from': from_, 'limit': limit, 'to': to},
            {},
            None,
        )

    def retain(self, body: Optional[RetainBody] = None) -> RetentionReport:
        """Erases what outlived the rules, or tells what would be erased."""
        return self._call(
            Operation('retain', 'POST', True),
            '/v1/retention',
            {},
            {},
            {},
            body,
        )

    def get_open_api(self) -> Dict[str, Any]:
        """This list for machines."""
        return self._call(
            Operation('getOpenApi', 'GET', True),
            '/openapi.json',
            {},
            {},
            {},
            None,
        )


class ConversationOperations(Sender):
    """What is asked of one conversation."""

    def get_conversation(self) -> Conversation:
        """One conversation."""
        return self._call(
            Operation('getConversation', 'GET', True),
            '',
            {},
            {},
            {},
            None,
        )

    def rename_conversation(self, body: RenameConversationBody) -> Conversation:
        """Changes the title."""
        return self._call(
            Operation('renameConversation', 'PATCH', True),
            '',
            {},
            {},
            {},
            body,
        )

    def erase_conversation(self) -> Union[None, Erasing]:
        """Erases the conversation with everything in it."""
        return self._call(
            Operation('eraseConversation', 'DELETE', True),
            '',
            {},
            {},
            {},
            None,
        )

    def start_turn(self, body: Optional[StartTurnBody] = None) -> TurnBegun:
        """Starts a turn, or goes on with an open one."""
        return self._call(
            Operation('startTurn', 'POST', True, 'turn_id', True),
            '/turns',
            {},
            {},
            {},
            body,
        )

    def list_turns(self, *, cursor: Optional[str] = None, limit: Optional[int] = None) -> TurnPage:
        """Turns, oldest first."""
        return self._call(
            Operation('listTurns', 'GET', True),
            '/turns',
            {},
            {'cursor': cursor, 'limit': limit},
            {},
            None,
        )

    def get_turn(self, turn: str) -> TurnLog:
        """The log of a turn."""
        return self._call(
            Operation('getTurn', 'GET', True),
            '/turns/{turn}',
            {'turn': turn},
            {},
            {},
            None,
        )

    def erase_turn(self, turn: str) -> Union[None, Erasing]:
        """Erases a closed turn."""
        return self._call(
            Operation('eraseTurn', 'DELETE', True),
            '/turns/{turn}',
            {'turn': turn},
            {},
            {},
            None,
        )

    def finish_turn(self, turn: str, body: Optional[FinishTurnBody] = None) -> TurnClosed:
        """Completes a turn."""
        return self._call(
            Operation('finishTurn', 'POST', True),
            '/turns/{turn}/finish',
            {'turn': turn},
            {},
            {},
            body,
        )

    def interrupt_turn(self, turn: str, body: InterruptTurnBody) -> TurnClosed:
        """Ends a turn that stays in context."""
        return self._call(
            Operation('interruptTurn', 'POST', True),
            '/turns/{turn}/interrupt',
            {'turn': turn},
            {},
            {},
            body,
        )

    def abort_turn(self, turn: str, body: AbortTurnBody) -> TurnClosed:
        """Ends a turn that leaves the context."""
        return self._call(
            Operation('abortTurn', 'POST', True),
            '/turns/{turn}/abort',
            {'turn': turn},
            {},
            {},
            body,
        )

    def add_blocks(self, body: AddBlocksBody) -> Contributed:
        """Contributes blocks to the open turn."""
        return self._call(
            Operation('addBlocks', 'POST', True, 'blocks[].id', True),
            '/blocks',
            {},
            {},
            {},
            body,
        )

    def set_announcement(self, body: SetAnnouncementBody) -> Version:
        """Replaces what stands at the end of renders."""
        return self._call(
            Operation('setAnnouncement', 'PUT', True),
            '/announce',
            {},
            {},
            {},
            body,
        )

    def clear_announcement(self) -> Version:
        """Removes it."""
        return self._call(
            Operation('clearAnnouncement', 'DELETE', True),
            '/announce',
            {},
            {},
            {},
            None,
        )

    def get_sources(self) -> Sources:
        """The sources pool."""
        return self._call(
            Operation('getSources', 'GET', True),
            '/sources',
            {},
            {},
            {},
            None,
        )

    def set_sources(self, body: SetSourcesBody) -> Sources:
        """Replaces the visible sources."""
        return self._call(
            Operation('setSources', 'PUT', True),
            '/sources',
            {},
            {},
            {},
            body,
        )

    def merge_sources(self, body: MergeSourcesBody) -> Sources:
        """Merges sources, which keep their sids."""
        return self._call(
            Operation('mergeSources', 'POST', True),
            '/sources',
            {},
            {},
            {},
            body,
        )

    def hide_path(self, body: HidePathBody) -> Hidden:
        """Hides blocks of a path from renders."""
        return self._call(
            Operation('hidePath', 'POST', True),
            '/hide',
            {},
            {},
            {},
            body,
        )

    def unhide_path(self, body: UnhidePathBody) -> Unhidden:
        """Shows them again."""
        return self._call(
            Operation('unhidePath', 'POST', True),
            '/unhide',
            {},
            {},
            {},
            body,
        )

    def add_feedback(self, body: AddFeedbackBody) -> Version:
        """Records a reaction to a turn."""
        return self._call(
            Operation('addFeedback', 'POST', False),
            '/feedback',
            {},
            {},
            {},
            body,
        )

    def ask_clarification(self, body: AskClarificationBody) -> Version:
        """Asks the user something."""
        return self._call(
            Operation('askClarification', 'POST', False),
            '/clarification',
            {},
            {},
            {},
            body,
        )

    def resolve_clarification(self, body: ResolveClarificationBody) -> Version:
        """Records what the user answered."""
        return self._call(
            Operation('resolveClarification', 'POST', False),
            '/clarification_resolution',
            {},
            {},
            {},
            body,
        )

    def import_history(self, body: ImportHistoryBody) -> Imported:
        """Takes a foreign history in."""
        return self._call(
            Operation('importHistory', 'POST', True),
            '/import',
            {},
            {},
            {},
            body,
        )

    def render_conversation(self, body: Optional[RenderConversationBody] = None) -> Rendered:
        """What a model would get."""
        return self._call(
            Operation('renderConversation', 'POST', True),
            '/render',
            {},
            {},
            {},
            body,
        )

    def build_request(self, body: BuildRequestBody) -> BuiltRequest:
        """The exact body to send to a provider."""
        return self._call(
            Operation('buildRequest', 'POST', False),
            '/request',
            {},
            {},
            {},
            body,
        )

    def start_epoch(self, body: Optional[StartEpochBody] = None) -> EpochStarted:
        """Shows memory anew in the next request."""
        return self._call(
            Operation('startEpoch', 'POST', True),
            '/epoch',
            {},
            {},
            {},
            body,
        )

    def record_response(self, body: RecordResponseBody) -> Reply:
        """Records a provider's answer, or its stream as it comes."""
        return self._call(
            Operation('recordResponse', 'POST', True, 'request_id', False),
            '/responses',
            {},
            {},
            {},
            body,
        )

    def record_results(self, body: Optional[RecordResultsBody] = None) -> ResultsRecorded:
        """Answers one call of a tool, or several."""
        return self._call(
            Operation('recordResults', 'POST', True),
            '/results',
            {},
            {},
            {},
            body,
        )

    def step(self, body: Optional[StepBody] = None) -> StepAnswer:
        """Stores what happened in one commit, and builds the next request."""
        return self._call(
            Operation('step', 'POST', True, 'step_id', True),
            '/step',
            {},
            {},
            {},
            body,
        )

    def list_requests(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> RequestPage:
        """The ledger: requests, newest first."""
        return self._call(
            Operation('listRequests', 'GET', True),
            '/requests',
            {},
            {'cursor': cursor, 'limit': limit},
            {},
            None,
        )

    def get_request(
        self,
        request: str,
        *,
        diff: Optional[Literal["previous"]] = None,
    ) -> RequestRecord:
        """One request with its body, or what differs from the one before."""
        return self._call(
            Operation('getRequest', 'GET', True),
            '/requests/{request}',
            {'request': request},
            {'diff': diff},
            {},
            None,
        )

    def explain_request(
        self,
        request: str,
        *,
        path: Optional[str] = None,
    ) -> Union[RequestReasons, PathReason]:
        """Why each part of a request is there; of a path, why it is there or why not."""
        return self._call(
            Operation('explainRequest', 'GET', True),
            '/requests/{request}/why',
            {'request': request},
            {'path': path},
            {},
            None,
        )

    def simulate_conversation(
        self,
        *,
        limit: Optional[int] = None,
        what_if: Optional[str] = None,
    ) -> Simulation:
        """What a prompt cache makes of the newest requests, and with what_if of another choice."""
        return self._call(
            Operation('simulateConversation', 'GET', True),
            '/simulation',
            {},
            {'limit': limit, 'what_if': what_if},
            {},
            None,
        )

    def get_usage(self) -> UsageSum:
        """What the recorded requests cost together."""
        return self._call(
            Operation('getUsage', 'GET', True),
            '/usage',
            {},
            {},
            {},
            None,
        )

    def get_timeline(
        self,
        *,
        from_seq: Optional[int] = None,
        limit: Optional[int] = None,
        tokens: Optional[bool] = None,
        visible: Optional[bool] = None,
    ) -> TimelinePage:
        """What is stored, or what is visible."""
        return self._call(
            Operation('getTimeline', 'GET', True),
            '/timeline',
            {},
            {'from_seq': from_seq, 'limit': limit, 'tokens': tokens, 'visible': visible},
            {},
            None,
        )

    def get_context(
        self,
        *,
        days: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> TurnContext:
        """What a turn may work with: history and its own blocks."""
        return self._call(
            Operation('getContext', 'GET', True),
            '/context',
            {},
            {'days': days, 'limit': limit},
            {},
            None,
        )

    def get_artifact(self, *, path: Optional[str] = None) -> Artifact:
        """What a path names."""
        return self._call(
            Operation('getArtifact', 'GET', True),
            '/artifact',
            {},
            {'path': path},
            {},
            None,
        )

    def list_summaries(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> SummaryPage:
        """Summaries with their digests, newest first."""
        return self._call(
            Operation('listSummaries', 'GET', True),
            '/summaries',
            {},
            {'cursor': cursor, 'limit': limit},
            {},
            None,
        )

    def get_summary(self, summary: str) -> Summary:
        """One summary with its text, entries and receipt."""
        return self._call(
            Operation('getSummary', 'GET', True),
            '/summaries/{summary}',
            {'summary': summary},
            {},
            {},
            None,
        )

    def withdraw_summary(self, summary: str) -> Version:
        """Takes the newest summary back."""
        return self._call(
            Operation('withdrawSummary', 'POST', True),
            '/summaries/{summary}/withdraw',
            {'summary': summary},
            {},
            {},
            None,
        )

    def list_pins(self) -> Pins:
        """What is pinned, with its tokens."""
        return self._call(
            Operation('listPins', 'GET', True),
            '/pins',
            {},
            {},
            {},
            None,
        )

    def pin_path(self, body: PinPathBody) -> Pin:
        """Keeps the text of a path in context, whatever is compacted."""
        return self._call(
            Operation('pinPath', 'POST', True),
            '/pins',
            {},
            {},
            {},
            body,
        )

    def unpin_path(self, *, path: Optional[str] = None) -> Unpinned:
        """Lets a path go."""
        return self._call(
            Operation('unpinPath', 'DELETE', True),
            '/pins',
            {},
            {'path': path},
            {},
            None,
        )

    def compact_conversation(
        self,
        body: Optional[CompactConversationBody] = None,
    ) -> CompactionReport:
        """Compacts without rendering."""
        return self._call(
            Operation('compactConversation', 'POST', False),
            '/compact',
            {},
            {},
            {},
            body,
        )

    def run_tool(self, tool: str, body: Optional[RunToolBody] = None) -> ToolBlocks:
        """Runs a built-in tool in the open turn."""
        return self._call(
            Operation('runTool', 'POST', True, 'tool_call_id', False),
            '/tools/{tool}',
            {'tool': tool},
            {},
            {},
            body,
        )

    def check_rules(self, body: CheckRulesBody) -> RuleDecision:
        """Judges a call by tool rules."""
        return self._call(
            Operation('checkRules', 'POST', True),
            '/rules/check',
            {},
            {},
            {},
            body,
        )

    def follow_conversation(self, *, after: Optional[int] = None) -> Iterator[Event]:
        """A stream of events (server-sent events)."""
        return self._follow(
            Operation('followConversation', 'GET', True),
            '/events',
            {},
            {'after': after},
            {},
        )

    def export_conversation(
        self,
        *,
        format: Optional[Literal["archive", "markdown"]] = None,
    ) -> str:
        """The conversation as an archive, or as Markdown."""
        return self._call(
            Operation('exportConversation', 'GET', True),
            '/export',
            {},
            {'format': format},
            {},
            None,
        )


class AgentOperations(Sender):
    """What is asked of one agent and its memory."""

    def put_agent(
        self,
        body: Optional[PutAgentBody] = None,
        *,
        actor: Optional[str] = None,
    ) -> Agent:
        """Names and describes an agent."""
        return self._call(
            Operation('putAgent', 'PUT', True),
            '',
            {},
            {},
            {'X-Actor': actor},
            body,
        )

    def get_agent(self, *, actor: Optional[str] = None) -> Agent:
        """One agent."""
        return self._call(
            Operation('getAgent', 'GET', True),
            '',
            {},
            {},
            {'X-Actor': actor},
            None,
        )

    def erase_agent(self, *, actor: Optional[str] = None) -> Union[Erased, Erasing]:
        """Erases the agent with its blocks, entries, shares and activity."""
        return self._call(
            Operation('eraseAgent', 'DELETE', True),
            '',
            {},
            {},
            {'X-Actor': actor},
            None,
        )

    def add_archival_entry(
        self,
        body: AddArchivalEntryBody,
        *,
        actor: Optional[str] = None,
    ) -> ArchivalId:
        """Keeps something for good."""
        return self._call(
            Operation('addArchivalEntry', 'POST', False),
            '/archival',
            {},
            {},
            {'X-Actor': actor},
            body,
        )

    def list_archival_entries(
        self,
        *,
        content: Optional[Literal["excerpt", "full"]] = None,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        metadata: Optional[str] = None,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> ArchivalPage:
        """Archival entries, oldest first."""
        return self._call(
            Operation('listArchivalEntries', 'GET', True),
            '/archival',
            {},
            {'content': content, 'cursor': cursor, 'limit': limit, 'metadata': metadata, 'user': user},
            {'X-Actor': actor},
            None,
        )

    def get_archival_entry(
        self,
        id: str,
        *,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> ArchivalEntry:
        """One archival entry."""
        return self._call(
            Operation('getArchivalEntry', 'GET', True),
            '/archival/{id}',
            {'id': id},
            {'user': user},
            {'X-Actor': actor},
            None,
        )

    def erase_archival_entry(
        self,
        id: str,
        *,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> Union[None, Erasing]:
        """Erases an archival entry."""
        return self._call(
            Operation('eraseArchivalEntry', 'DELETE', True),
            '/archival/{id}',
            {'id': id},
            {'user': user},
            {'X-Actor': actor},
            None,
        )

    def list_agent_users(self, *, actor: Optional[str] = None) -> AgentUsers:
        """Users who have memory of their own at the agent."""
        return self._call(
            Operation('listAgentUsers', 'GET', True),
            '/users',
            {},
            {},
            {'X-Actor': actor},
            None,
        )

    def move_memory(
        self,
        body: Optional[MoveMemoryBody] = None,
        *,
        actor: Optional[str] = None,
    ) -> MemoryMoved:
        """Gives blocks and entries to a user, or back to the agent."""
        return self._call(
            Operation('moveMemory', 'POST', False),
            '/move',
            {},
            {},
            {'X-Actor': actor},
            body,
        )

    def set_template(self, body: SetTemplateBody, *, actor: Optional[str] = None) -> BlockTemplate:
        """Sets the block that each user gets at the first turn."""
        return self._call(
            Operation('setTemplate', 'PUT', True),
            '/template',
            {},
            {},
            {'X-Actor': actor},
            body,
        )

    def get_template(self, *, actor: Optional[str] = None) -> BlockTemplate:
        """The block that each user gets."""
        return self._call(
            Operation('getTemplate', 'GET', True),
            '/template',
            {},
            {},
            {'X-Actor': actor},
            None,
        )

    def delete_template(self, *, actor: Optional[str] = None) -> None:
        """No block for new users."""
        return self._call(
            Operation('deleteTemplate', 'DELETE', True),
            '/template',
            {},
            {},
            {'X-Actor': actor},
            None,
        )

    def list_consents(self, *, actor: Optional[str] = None) -> Consents:
        """What waits for approval."""
        return self._call(
            Operation('listConsents', 'GET', True),
            '/consents',
            {},
            {},
            {'X-Actor': actor},
            None,
        )

    def answer_consent(
        self,
        id: str,
        body: AnswerConsentBody,
        *,
        actor: Optional[str] = None,
    ) -> ConsentAnswer:
        """Approves or denies it."""
        return self._call(
            Operation('answerConsent', 'POST', False),
            '/consents/{id}',
            {'id': id},
            {},
            {'X-Actor': actor},
            body,
        )

    def restore_memory_block(
        self,
        body: RestoreMemoryBlockBody,
        *,
        actor: Optional[str] = None,
    ) -> MemoryBlockInfo:
        """Brings a deleted block back."""
        return self._call(
            Operation('restoreMemoryBlock', 'POST', False),
            '/blocks/restore',
            {},
            {},
            {'X-Actor': actor},
            body,
        )

    def get_prompt(
        self,
        *,
        include_descriptions: Optional[bool] = None,
        include_schemas: Optional[bool] = None,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> AgentPrompt:
        """What a request would tell the agent now."""
        return self._call(
            Operation('getPrompt', 'GET', True),
            '/prompt',
            {},
            {'include_descriptions': include_descriptions, 'include_schemas': include_schemas, 'user': user},
            {'X-Actor': actor},
            None,
        )

    def create_memory_block(
        self,
        body: CreateMemoryBlockBody,
        *,
        actor: Optional[str] = None,
    ) -> MemoryBlockMade:
        """Makes a memory block."""
        return self._call(
            Operation('createMemoryBlock', 'POST', False),
            '/blocks',
            {},
            {},
            {'X-Actor': actor},
            body,
        )

    def list_memory_blocks(
        self,
        *,
        deleted: Optional[bool] = None,
        type: Optional[Literal["core", "working", "archival", "log"]] = None,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> MemoryBlocks:
        """Memory blocks by label, or the deleted ones."""
        return self._call(
            Operation('listMemoryBlocks', 'GET', True),
            '/blocks',
            {},
            {'deleted': deleted, 'type': type, 'user': user},
            {'X-Actor': actor},
            None,
        )

    def get_memory_block(
        self,
        label: str,
        *,
        at: Optional[int] = None,
        owner: Optional[str] = None,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> MemoryBlock:
        """A memory block with its content."""
        return self._call(
            Operation('getMemoryBlock', 'GET', True),
            '/blocks/{label}',
            {'label': label},
            {'at': at, 'owner': owner, 'user': user},
            {'X-Actor': actor},
            None,
        )

    def change_memory_block(
        self,
        label: str,
        body: Optional[ChangeMemoryBlockBody] = None,
        *,
        actor: Optional[str] = None,
    ) -> MemoryBlockInfo:
        """Changes the settings of a block."""
        return self._call(
            Operation('changeMemoryBlock', 'PATCH', True),
            '/blocks/{label}',
            {'label': label},
            {},
            {'X-Actor': actor},
            body,
        )

    def delete_memory_block(
        self,
        label: str,
        *,
        purge: Optional[bool] = None,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> Union[None, Erased, Erasing]:
        """Deletes a block; with purge=true erases it for good."""
        return self._call(
            Operation('deleteMemoryBlock', 'DELETE', True),
            '/blocks/{label}',
            {'label': label},
            {'purge': purge, 'user': user},
            {'X-Actor': actor},
            None,
        )

    def edit_memory_block(
        self,
        label: str,
        body: EditMemoryBlockBody,
        *,
        actor: Optional[str] = None,
    ) -> MemoryEdited:
        """Edits a block: all operations, or none."""
        return self._call(
            Operation('editMemoryBlock', 'POST', False),
            '/blocks/{label}/ops',
            {'label': label},
            {},
            {'X-Actor': actor},
            body,
        )

    def undo_memory_block(
        self,
        label: str,
        body: Optional[UndoMemoryBlockBody] = None,
        *,
        actor: Optional[str] = None,
    ) -> MemoryUndone:
        """Takes the last edit back."""
        return self._call(
            Operation('undoMemoryBlock', 'POST', False),
            '/blocks/{label}/undo',
            {'label': label},
            {},
            {'X-Actor': actor},
            body,
        )

    def redo_memory_block(
        self,
        label: str,
        body: Optional[RedoMemoryBlockBody] = None,
        *,
        actor: Optional[str] = None,
    ) -> MemoryUndone:
        """Does it again."""
        return self._call(
            Operation('redoMemoryBlock', 'POST', False),
            '/blocks/{label}/redo',
            {'label': label},
            {},
            {'X-Actor': actor},
            body,
        )

    def list_memory_versions(
        self,
        label: str,
        *,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> MemoryVersions:
        """Versions, oldest first."""
        return self._call(
            Operation('listMemoryVersions', 'GET', True),
            '/blocks/{label}/history',
            {'label': label},
            {'after': after, 'limit': limit, 'user': user},
            {'X-Actor': actor},
            None,
        )

    def list_shares(
        self,
        label: str,
        *,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> ShareList:
        """With whom an own block is shared, by agent."""
        return self._call(
            Operation('listShares', 'GET', True),
            '/blocks/{label}/shares',
            {'label': label},
            {'user': user},
            {'X-Actor': actor},
            None,
        )

    def share_memory_block(
        self,
        label: str,
        body: ShareMemoryBlockBody,
        *,
        actor: Optional[str] = None,
    ) -> Share:
        """Shares a block with another agent."""
        return self._call(
            Operation('shareMemoryBlock', 'POST', True),
            '/blocks/{label}/shares',
            {'label': label},
            {},
            {'X-Actor': actor},
            body,
        )

    def unshare_memory_block(
        self,
        label: str,
        with_: str,
        *,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> None:
        """Ends a share."""
        return self._call(
            Operation('unshareMemoryBlock', 'DELETE', True),
            '/blocks/{label}/shares/{with}',
            {'label': label, 'with': with_},
            {'user': user},
            {'X-Actor': actor},
            None,
        )

    def list_shared_blocks(
        self,
        *,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> SharedBlocks:
        """Blocks that are shared with the agent."""
        return self._call(
            Operation('listSharedBlocks', 'GET', True),
            '/shared',
            {},
            {'user': user},
            {'X-Actor': actor},
            None,
        )

    def list_tools(self, *, actor: Optional[str] = None) -> ToolList:
        """The built-in tools."""
        return self._call(
            Operation('listTools', 'GET', True),
            '/tools',
            {},
            {},
            {'X-Actor': actor},
            None,
        )

    def run_memory_tool(
        self,
        tool: str,
        body: Optional[RunMemoryToolBody] = None,
        *,
        actor: Optional[str] = None,
    ) -> ToolOutcome:
        """Runs a tool of the agent's memory."""
        return self._call(
            Operation('runMemoryTool', 'POST', False),
            '/tools/{tool}',
            {'tool': tool},
            {},
            {'X-Actor': actor},
            body,
        )

    def follow_memory(
        self,
        *,
        after: Optional[int] = None,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> Iterator[Event]:
        """A stream of changes of memory (server-sent events)."""
        return self._follow(
            Operation('followMemory', 'GET', True),
            '/events',
            {},
            {'after': after, 'user': user},
            {'X-Actor': actor},
        )

    def export_agent(
        self,
        *,
        format: Optional[Literal["archive", "markdown"]] = None,
        actor: Optional[str] = None,
    ) -> str:
        """What an agent remembers as an archive, or as Markdown."""
        return self._call(
            Operation('exportAgent', 'GET', True),
            '/export',
            {},
            {'format': format},
            {'X-Actor': actor},
            None,
        )

    def import_archive(
        self,
        body: ImportArchiveBody,
        *,
        actor: Optional[str] = None,
    ) -> ArchiveReport:
        """Takes in an archive of the agent."""
        return self._call(
            Operation('importArchive', 'POST', True),
            '/import',
            {},
            {},
            {'X-Actor': actor},
            body,
        )

    def find_for_agent(
        self,
        *,
        content_types: Optional[str] = None,
        conversation: Optional[str] = None,
        from_: Optional[str] = None,
        limit: Optional[int] = None,
        mode: Optional[Literal["fts", "vector", "hybrid", "rrf", "auto"]] = None,
        query: Optional[str] = None,
        roles: Optional[str] = None,
        to: Optional[str] = None,
        user: Optional[str] = None,
        actor: Optional[str] = None,
    ) -> SearchAnswer:
        """Finds what an agent knows, by an address that can be sent on."""
        return self._call(
            Operation('findForAgent', 'GET', True),
            '/search',
            {},
            {'content_types': content_types, 'conversation': conversation, 'from': from_, 'limit': limit, 'mode': mode, 'query': query, 'roles': roles, 'to': to, 'user': user},
            {'X-Actor': actor},
            None,
        )

    def search_agent(self, body: SearchAgentBody, *, actor: Optional[str] = None) -> SearchAnswer:
        """Finds what an agent knows."""
        return self._call(
            Operation('searchAgent', 'POST', True),
            '/search',
            {},
            {},
            {'X-Actor': actor},
            body,
        )
