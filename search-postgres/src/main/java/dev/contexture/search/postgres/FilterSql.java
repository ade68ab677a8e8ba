package dev.contexture.search.postgres;

import dev.contexture.block.Timestamps;
import dev.contexture.search.IndexFilter;
import dev.contexture.search.MetadataFilter;
import dev.contexture.search.SearchContentType;
import java.util.List;

/** Writes filters of a search as conditions on the row {@code e} of an entry. */
final class FilterSql {
  private FilterSql() {}

  /** Conditions that follow others. */
  static SqlText of(IndexFilter filter) {
    SqlText all = new SqlText();
    all.add(" AND (FALSE");
    for (SearchContentType type : SearchContentType.values()) {
      if (filter.types().contains(type)) {
        all.add(" OR (e.type = ?", type.name()).add(ofType(type, filter)).add(")");
      }
    }
    all.add(")");
    if (filter.user() != null) {
      all.add(
          " AND (e.type = ? OR e.usr IS NULL OR e.usr = ?)",
          SearchContentType.MESSAGES.name(),
          filter.user());
    } else if (!filter.everybody()) {
      all.add(" AND (e.type = ? OR e.usr IS NULL)", SearchContentType.MESSAGES.name());
    }
    if (filter.from() != null) {
      all.add(" AND e.at >= ?", Timestamps.toMillis(filter.from()));
    }
    if (filter.to() != null) {
      all.add(" AND e.at < ?", Timestamps.toMillis(filter.to()));
    }
    return all;
  }

  private static SqlText ofType(SearchContentType type, IndexFilter filter) {
    SqlText all = new SqlText();
    if (filter.agent() != null) {
      if (type == SearchContentType.BLOCKS && !filter.shared().isEmpty()) {
        all.add(" AND (e.agent = ? OR e.id = ANY(?))", filter.agent(), filter.shared());
      } else {
        all.add(" AND e.agent = ?", filter.agent());
      }
    }
    if (type == SearchContentType.MESSAGES) {
      if (filter.user() != null) {
        all.add(" AND e.usr = ?", filter.user());
      }
      if (filter.conversation() != null) {
        all.add(" AND e.conv = ?", filter.conversation());
      }
      if (!filter.roles().isEmpty()) {
        all.add(" AND e.role = ANY(?)", filter.roles());
      }
    }
    if (type == SearchContentType.ARCHIVAL) {
      for (String tag : filter.metadata().tags()) {
        all.add(" AND e.tags && ?", List.of(tag, MetadataFilter.ANY));
      }
    }
    return all;
  }
}
