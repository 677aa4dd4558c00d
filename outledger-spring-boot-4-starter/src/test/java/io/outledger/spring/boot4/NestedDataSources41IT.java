// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.NestedDataSourcesContract;

/** On this line of Spring Boot. */
class NestedDataSources41IT extends NestedDataSourcesContract {}
