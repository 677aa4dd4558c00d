// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.servers.Await;
import io.outledger.spring.contract.parcels.Parcel;
import io.outledger.spring.contract.parcels.ParcelApplication;
import io.outledger.spring.contract.parcels.ParcelService;
import io.outledger.spring.contract.parcels.Parcels;
import io.outledger.testing.RecordingPublisher;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What JPA entities raise is appended and published, on the database that the test names. */
public abstract class JpaOnNamedContract {

  private static final Duration SOON = Duration.ofSeconds(30);

  /** Creates it. */
  protected JpaOnNamedContract() {}

  /** Returns the properties of the data source: the URL and, if it needs one, the user. */
  protected abstract List<String> dataSource();

  @Test
  void whatAnEntityRaisedIsPublishedInItsOrder() {
    List<String> properties = new ArrayList<>(dataSource());
    properties.add("spring.jpa.hibernate.ddl-auto=create");
    properties.add("outledger.schema-initialization=always");
    try (RunningShop shop =
        RunningShop.of(
            List.of(ParcelApplication.class, RecordingConfiguration.class),
            properties.toArray(String[]::new))) {
      shop.bean(Parcels.class).save(new Parcel("p-1"));
      shop.bean(ParcelService.class).move("p-1", "Oslo");
      RecordingPublisher published = shop.bean(RecordingPublisher.class);
      Await.until(
          () -> "two are published: " + payloads(published),
          SOON,
          () -> published.messages().size() >= 2);
      assertThat(payloads(published))
          .containsExactly(
              "{\"id\":\"p-1\",\"place\":\"depot\"}", "{\"id\":\"p-1\",\"place\":\"Oslo\"}");
    }
  }

  private static List<String> payloads(RecordingPublisher published) {
    return published.messages().stream().map(JpaOnNamedContract::text).toList();
  }

  private static String text(Message message) {
    return new String(message.payload(), StandardCharsets.UTF_8);
  }
}
