// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class AppendTargetsTest {

  @Test
  void anAddressHasNeitherUserNorPassword() throws SQLException {
    assertThat(AppendTargets.address(to("jdbc:postgresql://ann:s3@db:5432/shop?password=s3")))
        .isEqualTo("jdbc:postgresql://db:5432/shop");
    assertThat(AppendTargets.address(to("jdbc:h2:mem:shop;PASSWORD=s3")))
        .isEqualTo("jdbc:h2:mem:shop");
  }

  @Test
  void anotherProductIsToldApart() throws SQLException {
    AppendTargets targets = new AppendTargets("jdbc:postgresql://db/shop");
    assertThat(targets.isOtherProduct(to("jdbc:postgresql://other/shop"))).isFalse();
    assertThat(targets.isOtherProduct(to("jdbc:h2:mem:shop"))).isTrue();
  }

  private static Connection to(String url) {
    DatabaseMetaData metaData = (DatabaseMetaData) proxy(DatabaseMetaData.class, url);
    return (Connection) proxy(Connection.class, metaData);
  }

  private static Object proxy(Class<?> type, Object answer) {
    return Proxy.newProxyInstance(
        AppendTargetsTest.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> answer);
  }
}
