package dev.contexture.search.lucene;

import dev.contexture.block.Timestamps;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.MetadataFilter;
import dev.contexture.search.SearchContentType;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Turns a filter into a query that does not score. */
final class FilterQuery {
  private FilterQuery() {}

  /**
   * What a filter leaves.
   *
   * @param kind documents with words, or with vectors
   * @return null: the filter leaves everything
   */
  static @Nullable Query of(String kind, IndexFilter filter) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    if (isOpen(filter)) {
      if (filter.agent() != null) { // shared ids are blocks' anyhow
        all.add(
            owner(SearchContentType.BLOCKS, kind, filter.agent(), filter.shared()), Occur.FILTER);
      }
    } else {
      BooleanQuery.Builder types = new BooleanQuery.Builder();
      for (SearchContentType type : filter.types()) {
        types.add(ofType(type, kind, filter), Occur.SHOULD);
      }
      all.add(simplified(types.build()), Occur.FILTER);
    }
    if (filter.user() != null || !filter.everybody()) {
      all.add(ofOthers(filter.user()), Occur.MUST_NOT);
    }
    if (filter.from() != null || filter.to() != null) {
      long from = filter.from() == null ? Long.MIN_VALUE : Timestamps.toMillis(filter.from());
      long last = Long.MAX_VALUE;
      if (filter.to() != null) {
        long end = Timestamps.toMillis(filter.to());
        if (from >= end) {
          return new MatchNoDocsQuery("empty time range");
        }
        last = end - 1;
      }
      all.add(LongField.newRangeQuery(IndexFields.AT, from, last), Occur.FILTER);
    }
    BooleanQuery built = all.build();
    return built.clauses().isEmpty() ? null : simplified(built);
  }

  /** Memory that belongs to other users. */
  private static Query ofOthers(@Nullable String user) {
    Query personal = term(IndexFields.PERSONAL, IndexFields.YES);
    return user == null
        ? personal
        : new BooleanQuery.Builder()
            .add(personal, Occur.FILTER)
            .add(term(IndexFields.USER, user), Occur.MUST_NOT)
            .build();
  }

  /** Whether it treats all types alike. */
  private static boolean isOpen(IndexFilter filter) {
    return filter.types().size() == SearchContentType.values().length
        && filter.user() == null
        && filter.conversation() == null
        && filter.roles().isEmpty()
        && filter.metadata().isEmpty();
  }

  private static Query ofType(SearchContentType type, String kind, IndexFilter filter) {
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    all.add(term(IndexFields.TYPE, type.name()), Occur.FILTER);
    if (filter.agent() != null) {
      all.add(owner(type, kind, filter.agent(), filter.shared()), Occur.FILTER);
    }
    if (type == SearchContentType.MESSAGES) {
      if (filter.user() != null) {
        all.add(term(IndexFields.USER, filter.user()), Occur.FILTER);
      }
      if (filter.conversation() != null) {
        all.add(term(IndexFields.CONVERSATION, filter.conversation()), Occur.FILTER);
      }
      if (!filter.roles().isEmpty()) {
        all.add(anyOf(IndexFields.ROLE, filter.roles()), Occur.FILTER);
      }
    }
    if (type == SearchContentType.ARCHIVAL) {
      for (String tag : filter.metadata().tags()) {
        all.add(anyOf(IndexFields.TAG, List.of(tag, MetadataFilter.ANY)), Occur.FILTER);
      }
    }
    return simplified(all.build());
  }

  private static Query owner(
      SearchContentType type, String kind, String agent, Collection<String> shared) {
    Query own = term(IndexFields.AGENT, agent);
    if (type != SearchContentType.BLOCKS || shared.isEmpty()) {
      return own;
    }
    List<String> keys = shared.stream().map(id -> IndexFields.key(kind, id)).toList();
    return new BooleanQuery.Builder()
        .add(own, Occur.SHOULD)
        .add(anyOf(IndexFields.KEY, keys), Occur.SHOULD)
        .build();
  }

  private static Query simplified(BooleanQuery query) {
    return query.clauses().size() == 1 ? query.clauses().getFirst().query() : query;
  }

  static Query anyOf(String field, Collection<String> values) {
    return new TermInSetQuery(field, values.stream().map(BytesRef::new).toList());
  }

  static Query term(String field, String value) {
    return new TermQuery(new Term(field, value));
  }
}
