// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.NestedDataSourcesContract;

/** On this line of Spring Boot. */
class NestedDataSources35IT extends NestedDataSourcesContract {}
