package dev.contexture.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contexture.error.ContextureException;
import dev.contexture.error.ErrorCode;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final ShareHolder ONE = new ShareHolder("acme", "k1");
  private static final ShareHolder SAME_TENANT = new ShareHolder("acme", "k2");
  private static final ShareHolder OTHER = new ShareHolder("other", "k3");

  private final Shares shares = new Shares("requests", 100);

  private void isRefused(ShareHolder by, long more, ErrorCode code) {
    long before = shares.used();
    assertThatThrownBy(() -> shares.take(by, more))
        .isInstanceOfSatisfying(
            ContextureException.class, refused -> assertThat(refused.code()).isEqualTo(code));
    assertThat(shares.used()).isEqualTo(before);
  }

  @Test
  void oneAloneGetsAllButATenth() {
    for (int i = 0; i < 90; i++) {
      shares.take(ONE, 1);
    }
    isRefused(ONE, 1, ErrorCode.TOO_MANY_REQUESTS);
  }

  @Test
  void whoeverComesThenGetsSomethingAtOnce() {
    shares.take(ONE, 90);
    shares.take(OTHER, 10);
    isRefused(OTHER, 1, ErrorCode.STORE_UNAVAILABLE);
    isRefused(ONE, 1, ErrorCode.TOO_MANY_REQUESTS);
  }

  @Test
  void anotherKeyOfTheSameTenantGetsSomethingToo() {
    shares.take(ONE, 90);
    shares.take(SAME_TENANT, 10);
    isRefused(SAME_TENANT, 1, ErrorCode.STORE_UNAVAILABLE);
  }

  @Test
  void whatComesFreeGoesToThoseWhoHaveLess() {
    shares.take(ONE, 90);
    shares.take(OTHER, 10);
    for (int i = 0; i < 40; i++) {
      shares.give(ONE, 1);
      isRefused(ONE, 1, ErrorCode.TOO_MANY_REQUESTS);
      shares.take(OTHER, 1);
    }
    isRefused(OTHER, 1, ErrorCode.TOO_MANY_REQUESTS);
  }

  @Test
  void manyKeysOfOneTenantTakeNothingFromAnother() {
    for (int i = 0; i < 90; i++) {
      shares.take(new ShareHolder("acme", "k" + i), 1);
    }
    shares.take(OTHER, 10);
    isRefused(new ShareHolder("acme", "fresh"), 1, ErrorCode.TOO_MANY_REQUESTS);
  }

  @Test
  void sharesDoNotBindWhileThereIsRoom() {
    shares.take(ONE, 80);
    shares.take(OTHER, 5);
    shares.take(ONE, 5);
    assertThat(shares.used()).isEqualTo(90);
  }

  @Test
  void remembersNobodyWhoHoldsNothing() {
    shares.take(ONE, 50);
    shares.take(SAME_TENANT, 10);
    shares.give(ONE, 50);
    shares.give(SAME_TENANT, 10);
    assertThat(shares.used()).isZero();
    shares.take(OTHER, 90);
  }
}
